"""Building the artefact: the same bytes for the same records, wherever they lie."""

import json
import os
from difflib import SequenceMatcher
from typing import Any

import attrs

from ropeguard.catalogue.artefact import SCHEMA, Entry
from ropeguard.catalogue.indexing import index_of
from ropeguard.catalogue.model import Source
from ropeguard.catalogue.raising import RopeguardError
from ropeguard.catalogue.source import Catalogue


def artefact_bytes(catalogue: Catalogue) -> bytes:
    """Return the built catalogue as the file holds it."""
    entries = [entry_of(source) for source in catalogue.sources]
    lines = [_line(entry) for entry in entries]
    index = _line(index_of(entries))
    offsets: dict[str, list[int]] = {}
    at = 0
    for entry, line in zip(entries, lines, strict=True):
        offsets[entry["code"]] = [at, len(line)]
        at += len(line)
    header = {
        "schema": SCHEMA,
        "index": len(index),
        "codes": offsets,
        "slugs": {entry["slug"]: entry["code"] for entry in entries},
        "aliases": {alias: entry["code"] for entry in entries for alias in entry["aliases"]},
        "tombstones": {it.id: attrs.asdict(it) for it in catalogue.tombstones},
    }
    return b"".join([_line(header), index, *lines])


def _line(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def entry_of(source: Source) -> Entry:
    """Return a record's line: all its fields, its programs and the excerpts of its page."""
    record = attrs.asdict(source.record)
    fails, works = excerpts(source.before, source.after)
    programs = {"before": source.before, "after": source.after, "expected": source.expected}
    page = {"fails": fails, "works": works}
    return {"code": record.pop("id"), **record, **programs, "page": page}


def excerpts(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the lines around the change, each with its mark: `- `, `+ ` or two blanks."""
    fails, works = _excerpts(before, after, 1)
    # Where lines are only added beside empty ones, one line around them says nothing.
    return (fails, works) if fails and works else _excerpts(before, after, 3)


def _excerpts(before: str, after: str, around: int) -> tuple[list[str], list[str]]:
    old, new = before.splitlines(), after.splitlines()
    fails: list[str] = []
    works: list[str] = []
    groups = SequenceMatcher(None, old, new, False).get_grouped_opcodes(around)
    for number, group in enumerate(groups):
        if number:
            fails.append("  ...")
            works.append("  ...")
        for tag, a, b, c, d in group:
            fails += [("  " if tag == "equal" else "- ") + line for line in old[a:b]]
            works += [("  " if tag == "equal" else "+ ") + line for line in new[c:d]]
    return _trimmed(fails), _trimmed(works)


def _trimmed(lines: list[str]) -> list[str]:
    """Return the lines without blank ones at the ends."""
    kept = [number for number, line in enumerate(lines) if line.strip()]
    return lines[kept[0] : kept[-1] + 1] if kept else []


def without_faulty(catalogue: Catalogue, forgiven: str = "") -> Catalogue:
    """Return the catalogue without the records that something is wrong with.

    Args:
        catalogue: The records and what is wrong with them.
        forgiven: A file of a record that may be wrong or missing.
    """
    faulty = {
        os.path.normpath(str(value))
        for wrong in catalogue.errors
        if wrong.slug != "related-unknown" and not _concerns(wrong, forgiven)
        for name, value in wrong.fields.items()
        if name in ("path", "folder", "second")
    }
    sound = [
        source
        for source in catalogue.sources
        if not any(_lies_in(path, os.path.normpath(source.folder)) for path in faulty)
    ]
    return attrs.evolve(catalogue, sources=tuple(sound), errors=())


def _concerns(wrong: RopeguardError, file: str) -> bool:
    path = str(wrong.fields.get("path", ""))
    return file != "" and file in (wrong.fields.get("key"), os.path.basename(path))


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
