import os
import shutil
import tempfile
from pathlib import Path

from ropeguard.catalogue import open_catalogue, records_folder


os.chdir(tempfile.mkdtemp())
sample = Path(records_folder(), "catalogue", "record-missing")
shutil.copytree(sample, "errors/catalogue/record-missing")
path = Path("errors/catalogue/record-missing/record.toml")
path.write_text(path.read_text().replace('severity = "error"', 'severity = "warning"'))
catalogue = open_catalogue("errors")
print("serving", len(catalogue.entries()), "records")
