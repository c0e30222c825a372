import json
import os
import tempfile
from pathlib import Path

from ropeguard.catalogue import open_catalogue


os.chdir(tempfile.mkdtemp())
record = {"id": "3f1a", "slug": "pool-full", "errorMessage": "no free block"}
Path("serving").mkdir()
Path("serving/errors.json").write_text(json.dumps({"record": record}))
print(len(open_catalogue("serving").entries()), "records")
