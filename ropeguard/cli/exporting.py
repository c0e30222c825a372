"""`ropeguard catalogue export`: records as JSON Lines in the public error schema."""

import json
import sys

from ropeguard import __version__
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.seed_schema import document_of_entry
from ropeguard.cli.arguments import Options


def export(options: Options) -> int:
    """Print one document a line: those of the given catalogue as they were read, or ours."""
    for line in _lines(options.catalogue):
        sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
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
