import os
import sys
import tempfile
from pathlib import Path

from ropeguard.catalogue.foreign import extensions


os.chdir(tempfile.mkdtemp())
Path("serving-1.0.dist-info").mkdir()
Path("serving-1.0.dist-info/METADATA").write_text("Name: serving\nVersion: 1.0\n")
points = "[ropeguard.catalogues]\nserving = serving_errors:records"
Path("serving-1.0.dist-info/entry_points.txt").write_text(points)
line = '{"record": {"id": "3f1a", "slug": "pool-full", "errorMessage": "no free block"}}'
Path("pool.json").write_text(line)
Path("serving_errors.py").write_text("catalogue = 'pool.json'")
sys.path.insert(0, os.getcwd())
for found in extensions():
    if isinstance(found, Exception):
        raise found
