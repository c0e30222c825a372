import os
import sys
import tempfile
from pathlib import Path

from ropeguard.cli import main


os.chdir(tempfile.mkdtemp())
Path("notes").write_text("errors to describe")
task = ["catalogue", "new", "serving", "pool-full", "--title", "The pool is full"]
sys.exit(main([*task, "--folder", "errors"]))
