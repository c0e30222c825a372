"""The built catalogue as one file: a header, the matcher's index, then a line for each record."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from ropeguard._folders import folder


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol, TypeAlias

    from ropeguard.catalogue.matcher import Matcher

    Entry: TypeAlias = dict[str, Any]

    class Names(Protocol):
        """The tables of a catalogue that say which record a name stands for."""

        codes: Mapping[str, Any]
        slugs: Mapping[str, str]
        aliases: Mapping[str, str]
        tombstones: Mapping[str, Entry]

else:
    Entry = dict

SCHEMA = 2
NAME = "catalogue.jsonl"
_OPEN: dict[str, Artefact] = {}


class Artefact:
    """A built catalogue, of which a look-up reads the header and one line.

    Attributes:
        path: Where the file lies.
        schema: The version of the layout.
        codes: Code -> offset and length of the record's line, after the index.
        slugs: Slug -> code, of records that exist.
        aliases: Former slug -> code.
        tombstones: Code -> what is known of a record that was removed.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._read_header()

    def _read_header(self) -> None:
        with open(self.path, "rb") as stream:
            header = json.loads(stream.readline())
            self._index_at = stream.tell()
        self.schema: int = header["schema"]
        self._index_length: int = header["index"]
        self.codes: Mapping[str, list[int]] = header["codes"]
        self.slugs: Mapping[str, str] = header["slugs"]
        self.aliases: Mapping[str, str] = header["aliases"]
        self.tombstones: Mapping[str, Entry] = header["tombstones"]

    def code_of(self, name: str) -> str | None:
        """Return the code that a code, its digits, a slug or a former slug stands for."""
        return code_in(self, name)

    def entry(self, code: str) -> Entry:
        """Return the line of record `code`."""
        line = self._line(code)
        if line is None:
            # The file may have been built anew since its header was read.
            self._read_header()
            line = self._line(code)
        if line is None:
            from ropeguard.catalogue.raising import error

            reason = f"the line of {code} is damaged"
            raise error("artefact-unreadable", path=self.path, reason=reason)
        return line

    def _line(self, code: str) -> Entry | None:
        try:
            offset, length = self.codes[code]
            data = self._read(self._index_at + self._index_length + offset, length)
            line: Entry = json.loads(data)
            return line if line["code"] == code else None
        except (ValueError, KeyError, TypeError):
            return None

    def entries(self) -> tuple[Entry, ...]:
        """Return the lines of all records, ordered by slug."""
        with open(self.path, "rb") as stream:
            stream.seek(self._index_at + self._index_length)
            return tuple(json.loads(line) for line in stream)

    def matcher(self) -> Matcher:
        """Return what finds these records in a pasted text."""
        from ropeguard.catalogue.matcher import Matcher

        index = json.loads(self._read(self._index_at, self._index_length))
        return Matcher(index, (*self.codes, *self.tombstones))

    def _read(self, offset: int, length: int) -> bytes:
        with open(self.path, "rb") as stream:
            stream.seek(offset)
            return stream.read(length)


def code_in(catalogue: Names, name: str) -> str | None:
    """Return the code that a code, its digits, a slug or a former slug stands for in a catalogue.

    Codes that are not ropeguard's own are in lower case.
    """
    lower = name.strip().lower()
    for table in (catalogue.slugs, catalogue.aliases):
        if lower in table:
            return table[lower]
    numbered = "RG" + lower.removeprefix("rg").removeprefix("-")
    for code, stone in catalogue.tombstones.items():
        if lower == stone["slug"] or numbered == code:
            return code
    return next((code for code in (lower, numbered) if code in catalogue.codes), None)


def ours() -> Artefact:
    """Return ropeguard's own catalogue."""
    path = os.path.join(folder("errors"), NAME)
    if path not in _OPEN:
        _OPEN[path] = opened(path)
    return _OPEN[path]


def opened(path: str) -> Artefact:
    """Return the built catalogue at `path`."""
    from ropeguard.catalogue.raising import error

    try:
        artefact = Artefact(path)
    except (OSError, ValueError, KeyError, TypeError) as cause:
        reason = getattr(cause, "strerror", None) or f"{type(cause).__name__}: {cause}"
        raise error("artefact-unreadable", path=path, reason=reason) from cause
    if artefact.schema != SCHEMA:
        reason = f"its layout has version {artefact.schema}, this ropeguard reads {SCHEMA}"
        raise error("artefact-unreadable", path=path, reason=reason)
    return artefact


def forget() -> None:
    """Drop the headers read so far, after a build in this process."""
    _OPEN.clear()
