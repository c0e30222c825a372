"""Catalogues that are not ropeguard's own: a file, a folder, or a package's entry point."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ropeguard.catalogue.artefact import Entry, code_in
from ropeguard.catalogue.indexing import index_of
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.raising import RopeguardError, error
from ropeguard.catalogue.seed_schema import documents_of, entry_of_document


if TYPE_CHECKING:
    from ropeguard.catalogue.model import Tombstone

SHOWN = 10
GROUP = "ropeguard.catalogues"
SUFFIXES = (".json", ".jsonl", ".ndjson", ".txt")


class Foreign:
    """A catalogue held in memory, with the look-ups of a built one.

    Attributes:
        path: Where it was read from.
        codes: Code -> entry.
        slugs: Slug -> code.
        aliases: Former slug -> code.
        tombstones: Code -> what is known of a removed record.
        documents: The text of each document, in their order, if it holds documents.
    """

    def __init__(
        self,
        path: str,
        entries: Iterable[Entry],
        tombstones: Mapping[str, Entry],
        documents: Iterable[str] = (),
    ) -> None:
        self.path = path
        self.codes: Mapping[str, Entry] = {entry["code"]: entry for entry in entries}
        self.slugs: Mapping[str, str] = {
            entry["slug"]: entry["code"] for entry in self.codes.values()
        }
        self.aliases: Mapping[str, str] = {
            alias: entry["code"] for entry in self.codes.values() for alias in entry["aliases"]
        }
        self.tombstones = tombstones
        self.documents = tuple(documents)

    def code_of(self, name: str) -> str | None:
        """Return the code that a code, its digits, a slug or a former slug stands for."""
        return code_in(self, name)

    def entry(self, code: str) -> Entry:
        """Return record `code`."""
        return self.codes[code]

    def entries(self) -> tuple[Entry, ...]:
        """Return all records."""
        return tuple(self.codes.values())

    def matcher(self) -> Matcher:
        """Return what finds these records in a pasted text."""
        return Matcher(index_of(self.entries()), (*self.codes, *self.tombstones))


def memory(entries: Iterable[Entry], tombstones: Iterable["Tombstone"]) -> Foreign:
    """Return a catalogue of those entries."""
    stones = {it.id: {"id": it.id, "slug": it.slug} for it in tombstones}
    return Foreign("", entries, stones)


def open_catalogue(path: str) -> Foreign:
    """Read the catalogue at `path`: documents of the public schema, or folders of records.

    Args:
        path: A file of JSON or JSON Lines; or a folder of such files, or of `<origin>/<slug>/`
            folders with a `record.toml` each.
    """
    if os.path.isdir(path) and _has_records(path):
        return _folder_of_records(path)
    texts: list[str] = []
    entries: list[Entry] = []
    for file in _files(path):
        for text, document in documents_of(_read(file), file):
            texts.append(text)
            entries.append(entry_of_document(document))
    if not entries:
        raise error("catalogue-empty", path=path)
    return Foreign(path, entries, {}, texts)


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    return sorted(it.path for it in _scan(path) if it.name.endswith(SUFFIXES))


def _scan(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as found:
            return list(found)
    except OSError as cause:
        raise error("catalogue-unreadable", path=path, reason=cause.strerror) from cause


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            return stream.read()
    except OSError as cause:
        raise error("catalogue-unreadable", path=path, reason=cause.strerror) from cause
    except UnicodeDecodeError as cause:
        reason = f"not UTF-8 text: {cause.reason} at byte {cause.start}"
        raise error("catalogue-unreadable", path=path, reason=reason) from cause


def _has_records(path: str) -> bool:
    return any(
        os.path.exists(os.path.join(record.path, "record.toml"))
        for origin in _scan(path)
        if origin.is_dir()
        for record in _scan(origin.path)
    )


def _folder_of_records(path: str) -> Foreign:
    import attrs

    from ropeguard.catalogue.build import entry_of
    from ropeguard.catalogue.source import load

    catalogue = load(path)
    if catalogue.errors:
        lines = "\n".join(f"  {wrong}" for wrong in catalogue.errors[:SHOWN])
        raise error("catalogue-faulty", details=lines, path=path, count=len(catalogue.errors))
    tombstones = {it.id: attrs.asdict(it) for it in catalogue.tombstones}
    return Foreign(path, [entry_of(source) for source in catalogue.sources], tombstones)


def extensions() -> Iterator[Foreign | RopeguardError]:
    """Return the catalogue of each installed package that has one, or why it cannot be read.

    A package offers one through the entry point group `ropeguard.catalogues`: a path, or a
    function without arguments that returns one.
    """
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            offered = point.load()
            yield open_catalogue(os.fspath(offered() if callable(offered) else offered))
        except Exception as cause:  # whatever another package's code raises
            reason = f"{type(cause).__name__}: {cause}"
            yield error("extension-unreadable", name=point.name, reason=reason)
