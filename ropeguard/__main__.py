"""`python -m ropeguard`, the same as the command `ropeguard`."""

import sys

from ropeguard.cli import main


sys.exit(main())
