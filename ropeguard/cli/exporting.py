"""`ropeguard catalogue export | schema`: records in the public error schema, and the schema."""

import json
import os
import sys

from ropeguard import __version__
from ropeguard.catalogue import seed_schema
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.seed_schema import document_of_entry
from ropeguard.cli.arguments import Options


SCHEMA = "document.schema.json"


def export(options: Options) -> int:
    """Print one document a line: those of the given catalogue as they were read, or ours."""
    for line in _lines(options.catalogue):
        sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
    return 0


def print_schema(_options: Options) -> int:
    """Print the JSON Schema of the documents."""
    with open(os.path.join(os.path.dirname(seed_schema.__file__), SCHEMA), "rb") as stream:
        sys.stdout.buffer.write(stream.read())
    return 0


def _lines(path: str | None) -> list[str]:
    if path is not None:
        from ropeguard.catalogue.foreign import open_catalogue

        foreign = open_catalogue(path)
        if foreign.documents:
            return list(foreign.documents)
        entries = foreign.entries()
    else:
        entries = ours().entries()
    documents = (document_of_entry(entry, __version__) for entry in entries)
    return [json.dumps(it, ensure_ascii=False, separators=(",", ":")) for it in documents]
