import sys

from ropeguard.cli import main


sys.exit(main(["explain", "RG4270", "--ful"]))
