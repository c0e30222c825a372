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
stone = Path("errors/tombstones.toml")
table = '[[tombstones]]\nid = "RG1001"\nslug = "record-lost"\n'
stone.write_text(table + 'version = "0.2.0"\nreason = "merged"\n')
sys.exit(main(["explain", "RG1001", "--catalogue", "errors", "--example", "before"]))
