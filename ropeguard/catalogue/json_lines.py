"""A record as one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.yours import sentence, suggestions


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.templates import Value


def json_line(entry: Entry, values: Mapping[str, Value], path: str, nearest: bool = False) -> str:
    """Return a record as one line of JSON, with the values of a pasted text.

    Args:
        entry: The record.
        values: What the text says of the record's fields.
        path: The catalogue that the record stands in.
        nearest: Whether the text's message is another one, of the same operation.
    """
    shown = {name: it for name, it in entry.items() if name != "page"}
    found = [{"code": it.code, "why": it.why} for it in suggestions(entry, values)]
    yours = {"values": dict(values), "reading": sentence(entry, values), "suggestions": found}
    return json.dumps({"v": 1, **shown, **yours, "nearest": nearest, "catalogue": path}) + "\n"


def tombstone_json(stone: Entry, path: str) -> str:
    """Return what there is to say of a removed record, as one line of JSON."""
    data = {"v": 1, "code": stone["id"], "slug": stone["slug"], "removed": stone, "catalogue": path}
    return json.dumps(data) + "\n"
