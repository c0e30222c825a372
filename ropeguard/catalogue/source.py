"""Records as people write them: folders `<origin>/<slug>/`, and the list of removed ones."""

import os
import tomllib
from collections.abc import Iterator
from typing import Any

import attrs

from ropeguard._folders import folder
from ropeguard.catalogue.crosscheck import cross_checks
from ropeguard.catalogue.model import Record, Source, Tombstone
from ropeguard.catalogue.raising import RopeguardError, error
from ropeguard.catalogue.rules import problems
from ropeguard.catalogue.structure import read_table


FILES = ("record.toml", "before.py", "after.py", "expected.txt")


@attrs.frozen
class Catalogue:
    """All records of a folder, and what is wrong with them.

    Attributes:
        sources: The records that could be read, ordered by slug.
        tombstones: The removed ones.
        errors: One for each thing that is wrong, in the order of the files.
    """

    sources: tuple[Source, ...]
    tombstones: tuple[Tombstone, ...]
    errors: tuple[RopeguardError, ...]


def records_folder() -> str:
    """Return the folder of ropeguard's own records."""
    return folder("errors")


def load(path: str) -> Catalogue:
    """Read every record below `path`, each of which lies in `<origin>/<slug>/`."""
    errors: list[RopeguardError] = []
    sources: list[Source] = []
    for place in _folders(path):
        source, wrong = load_record(place)
        errors += wrong
        if source is not None:
            sources.append(source)
    tombstones = _tombstones(os.path.join(path, "tombstones.toml"), errors)
    errors += cross_checks(sources, tombstones)
    sources.sort(key=lambda source: source.record.slug)
    return Catalogue(tuple(sources), tombstones, tuple(errors))


def _folders(path: str) -> Iterator[str]:
    for origin in _subfolders(path):
        yield from _subfolders(origin)


def _subfolders(path: str) -> list[str]:
    try:
        with os.scandir(path) as found:
            names = [it.path for it in found if it.is_dir() and it.name[0] not in "._"]
    except OSError as cause:
        raise error("catalogue-unreadable", path=path, reason=cause.strerror) from cause
    return sorted(names)


def load_record(place: str) -> tuple[Source | None, list[RopeguardError]]:
    """Return the record in folder `place`, or `None`, and all that is wrong with it."""
    errors: list[RopeguardError] = []
    texts = {name: _text(os.path.join(place, name), errors) for name in FILES}
    path = os.path.join(place, "record.toml")
    table = _table(texts["record.toml"], path, errors)
    if table is None:
        return None, errors
    record, wrong = read_table(table, Record, path)
    errors += wrong
    if record is None:
        return None, errors
    source = Source(record, place, *(texts[name] or "" for name in FILES[1:]))
    errors += [
        error("record-value-wrong", path=path, key=it.key, found=it.found, allowed=it.allowed)
        for it in problems(source)
        if texts.get(it.key, "") is not None
    ]
    errors += _misplaced(record, place, path)
    return source, errors


def _text(path: str, errors: list[RopeguardError]) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except OSError as cause:
        errors.append(error("catalogue-unreadable", path=path, reason=cause.strerror))
    except UnicodeDecodeError as cause:
        errors.append(error("catalogue-unreadable", path=path, reason=f"not UTF-8: {cause.reason}"))
    return None


def _table(text: str | None, path: str, errors: list[RopeguardError]) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as cause:
        errors.append(error("toml-syntax", path=path, problem=str(cause)))
    return None


def _misplaced(record: Record, place: str, path: str) -> Iterator[RopeguardError]:
    origin, slug = os.path.abspath(place).split(os.sep)[-2:]
    for key, found, name in (("origin", record.origin, origin), ("slug", record.slug, slug)):
        if found != name:
            yield error("record-misplaced", path=path, key=key, found=found, folder=name)


def _tombstones(path: str, errors: list[RopeguardError]) -> tuple[Tombstone, ...]:
    if not os.path.exists(path):
        return ()
    table = _table(_text(path, errors), path, errors) or {}
    read, wrong = read_table(table, _Tombstones, path)
    errors += wrong
    return () if read is None else read.tombstones


@attrs.frozen
class _Tombstones:
    tombstones: tuple[Tombstone, ...] = ()
