"""Makes `rope_oracle`, the arithmetic that these tests trust, importable from their modules."""

import sys
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parent))
