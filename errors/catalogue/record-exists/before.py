import os
import sys
import tempfile

from ropeguard.cli import main


os.chdir(tempfile.mkdtemp())
task = ["catalogue", "new", "serving", "--title", "The pool is full", "--folder", "errors"]
for slug in ("pool-full", "pool-full"):
    status = main([*task, slug])
sys.exit(status)
