"""Makes `guard_areas`, the cases that several of these modules share, importable from them."""

import sys
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parent))
