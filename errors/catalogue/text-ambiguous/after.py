import json
import os
import tempfile
from pathlib import Path

from ropeguard.catalogue import look_up


os.chdir(tempfile.mkdtemp())
message = "no free block for the request"
rivals = [("3f1a", "pool-full-on-prefill"), ("3f1b", "pool-full-on-decode")]
lines = [{"record": {"id": i, "slug": slug, "errorMessage": message}} for i, slug in rivals]
Path("serving.jsonl").write_text("\n".join(map(json.dumps, lines)))
answer = look_up("pool-full-on-decode", catalogue="serving.jsonl")
print(answer.hits[0].entry["slug"])
