import json
import os
import sys
import tempfile
from pathlib import Path

from ropeguard.cli import main


os.chdir(tempfile.mkdtemp())
record = {"id": "3f1a", "slug": "pool-full", "errorMessage": "no free block"}
Path("serving.json").write_text(json.dumps({"record": record}))
sys.exit(main(["explain", "pool-full", "--catalogue", "serving.json", "--verify"]))
