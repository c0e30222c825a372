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
path = Path("errors/catalogue/record-missing/record.toml")
path.write_text(path.read_text().replace('status =', 'owner = "kernels"\nstatus ='))
sys.exit(main(["catalogue", "check", "errors"]))
