import os
import tempfile
from pathlib import Path

from ropeguard.catalogue import records_folder
from ropeguard.catalogue.artefact import opened


os.chdir(tempfile.mkdtemp())
built = Path(records_folder(), "catalogue.jsonl").read_bytes()
Path("catalogue.jsonl").write_bytes(built)
print(len(opened("catalogue.jsonl").codes), "records")
