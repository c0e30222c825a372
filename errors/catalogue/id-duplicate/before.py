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
shutil.copytree(sample, "errors/catalogue/record-lost")
path = Path("errors/catalogue/record-lost/record.toml")
text = path.read_text().replace('"record-missing"', '"record-lost"')
path.write_text(text)
sys.exit(main(["catalogue", "check", "errors"]))
