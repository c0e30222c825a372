import os
import shutil
import sys
import tempfile
from pathlib import Path

from ropeguard.catalogue import records_folder
from ropeguard.cli import main


os.chdir(tempfile.mkdtemp())
sample = Path(records_folder(), "catalogue", "record-missing")
shutil.copytree(sample, "errors/catalogue/record-missing")
sys.exit(main(["catalogue", "check", "eror"]))
