"""What every catalogue can be asked, wherever it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.matcher import Matcher


class Shelf(Protocol):
    """A catalogue: the built one, a file, or a folder."""

    path: str

    @property
    def tombstones(self) -> Mapping[str, Entry]:
        """Code -> what is known of a removed record."""

    def code_of(self, name: str) -> str | None:
        """Return the code that a name stands for."""

    def entry(self, code: str) -> Entry:
        """Return record `code`."""

    def entries(self) -> tuple[Entry, ...]:
        """Return all records."""

    def matcher(self) -> Matcher:
        """Return what finds these records in a pasted text."""
