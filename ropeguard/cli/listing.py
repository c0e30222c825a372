"""`ropeguard list`: all records, aligned for a terminal and tab-separated for a pipe."""

import json
import sys
from collections.abc import Callable

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.lookup import shelves_of
from ropeguard.catalogue.templates import clean
from ropeguard.cli.arguments import Options
from ropeguard.cli.extensions import extension_shelves
from ropeguard.cli.output import show


_FILTERS: dict[str, Callable[[Entry, str], bool]] = {
    "origin": lambda entry, value: entry["origin"] == value,
    "tag": lambda entry, value: value in entry["tags"],
    "op": lambda entry, value: value in entry["ops"],
    "status": lambda entry, value: entry["status"] == value,
}


def list_records(options: Options) -> int:
    """Print the code, slug and title of each record that the filters let through."""
    entries = [
        entry
        for shelf in [*shelves_of(options.catalogue), *extension_shelves()]
        for entry in shelf.entries()
        if _wanted(entry, options)
    ]
    if options.json:
        keys = ("code", "slug", "title", "origin", "status", "tags", "ops")
        lines = [json.dumps({key: entry[key] for key in keys}) for entry in entries]
    elif sys.stdout.isatty():
        width = max((len(entry["slug"]) for entry in entries), default=0)
        lines = [f"{it['code']}  {it['slug']:<{width}}  {it['title']}" for it in entries]
    else:
        lines = [f"{it['code']}\t{it['slug']}\t{it['title']}" for it in entries]
    show("".join(_safe(line) + "\n" for line in lines), pager=not options.no_pager)
    return 0


def _safe(line: str) -> str:
    return "\t".join(clean(cell) for cell in line.split("\t"))


def _wanted(entry: Entry, options: Options) -> bool:
    wanted = {name: getattr(options, name, None) for name in _FILTERS}
    return all(_FILTERS[name](entry, value) for name, value in wanted.items() if value is not None)
