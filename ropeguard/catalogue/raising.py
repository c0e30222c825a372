"""The exceptions of ropeguard, each filled in from the record that it is an instance of.

- RopeguardError
  - RopeguardAttributeError, also an AttributeError
  - RopeguardImportError, also an ImportError
  - RopeguardLookupError, also a LookupError
  - RopeguardOSError, also an OSError
  - RopeguardRuntimeError, also a RuntimeError
  - RopeguardTypeError, also a TypeError
  - RopeguardValueError, also a ValueError
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from ropeguard.catalogue.artefact import Entry, ours
from ropeguard.catalogue.templates import clean, fill, parse, plain


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Records that must be raised even when no artefact can be read; a test keeps them equal to it.
BUILT_IN: dict[str, Entry] = {
    "record-missing": {
        "code": "RG5278",
        "slug": "record-missing",
        "exception": "LookupError",
        "message": "the catalogue has no record `{slug}`",
        "fields": {"slug": {"type": "Name"}},
    },
    "artefact-unreadable": {
        "code": "RG8172",
        "slug": "artefact-unreadable",
        "exception": "OSError",
        "message": "the built catalogue `{path}` cannot be read: {reason}",
        "fields": {"path": {"type": "Text"}, "reason": {"type": "Text"}},
    },
    "public-name-unknown": {
        "code": "RG4270",
        "slug": "public-name-unknown",
        "exception": "AttributeError",
        "message": "ropeguard has no public name `{name}`",
        "fields": {"name": {"type": "Name"}},
    },
}


class RopeguardError(Exception):
    """An error that the catalogue describes.

    Attributes:
        code: The record's code, which never changes: `RG` and four digits.
        slug: The record's name in words.
        message: The record's message with this error's values, without the code.
        fields: The values in the message, as plain data.
        details: Further lines, which are no part of the record.
    """

    def __init__(self, entry: Entry, fields: Mapping[str, object], details: str = "") -> None:
        types = {name: field["type"] for name, field in entry["fields"].items()}
        self.code: str = entry["code"]
        self.slug: str = entry["slug"]
        self.fields = {name: plain(value) for name, value in fields.items()}
        self.message = fill(parse(entry["message"]), fields, types)
        self.details = details
        super().__init__(self.message)

    def __str__(self) -> str:
        first = f"{self.message} [{self.code}]"
        return f"{first}\n{self.details}" if self.details else first

    def __reduce__(self) -> tuple[Any, ...]:
        # The state carries every attribute, so that unpickling needs no catalogue.
        return _blank, (type(self).__name__,), self.__dict__ | {"args": self.args}

    def __setstate__(self, state: dict[str, Any] | None) -> None:
        for name, value in (state or {}).items():
            setattr(self, name, value)

    @property
    def record(self) -> Entry:
        """The record's entry of the built catalogue."""
        return entry(self.code)

    def to_json(self) -> str:
        """Return the error as one line of JSON, for logs."""
        data = {
            "v": 1,
            "code": self.code,
            "slug": self.slug,
            "message": self.message,
            "fields": self.fields,
        }
        return json.dumps(data | ({"details": self.details} if self.details else {}))


class RopeguardAttributeError(RopeguardError, AttributeError):
    """A record whose builtin base is AttributeError."""


class RopeguardImportError(RopeguardError, ImportError):
    """A record whose builtin base is ImportError."""


class RopeguardLookupError(RopeguardError, LookupError):
    """A record whose builtin base is LookupError."""


class RopeguardOSError(RopeguardError, OSError):
    """A record whose builtin base is OSError."""


class RopeguardRuntimeError(RopeguardError, RuntimeError):
    """A record whose builtin base is RuntimeError."""


class RopeguardTypeError(RopeguardError, TypeError):
    """A record whose builtin base is TypeError."""


class RopeguardValueError(RopeguardError, ValueError):
    """A record whose builtin base is ValueError."""


_CLASSES: dict[str, type[RopeguardError]] = {
    kind.__name__: kind
    for kind in (
        RopeguardError,
        RopeguardAttributeError,
        RopeguardImportError,
        RopeguardLookupError,
        RopeguardOSError,
        RopeguardRuntimeError,
        RopeguardTypeError,
        RopeguardValueError,
    )
}
for _kind in _CLASSES.values():
    _kind.__module__ = "ropeguard"


def error(slug: str, /, *, details: str = "", **fields: object) -> RopeguardError:
    """Return the exception of record `slug`, to be raised.

    Args:
        slug: The record's slug.
        details: Further lines, printed under the message.
        fields: A value for each field of the record.
    """
    found = BUILT_IN.get(slug)
    if found is None:
        try:
            artefact = ours()
            code = artefact.slugs.get(slug)
            found = artefact.entry(code) if code else None
        except RopeguardError as unreadable:
            unreadable.details = _instead_of(slug, fields)
            return unreadable
    if found is None:
        return error("record-missing", details=_instead_of(slug, fields), slug=slug)
    kind = _CLASSES.get(f"Ropeguard{found['exception']}", RopeguardError)
    wrong = kind(found, fields, details)
    for note in _advice(found):
        wrong.add_note(note)
    return wrong


def _advice(entry: Entry) -> list[str]:
    """Return what a traceback shows under an error: the likeliest solution, and where to read."""
    solutions = [f"  try: {it['text']}" for it in entry.get("solutions", ())[:1]]
    return [*solutions, f"  more: ropeguard explain {entry['code']}"]


def _instead_of(slug: str, fields: Mapping[str, object]) -> str:
    values = (f"    {name} = {clean(str(plain(value)))}" for name, value in fields.items())
    return "\n".join([f"  in place of `{slug}` with", *values])


def entry(name: str) -> Entry:
    """Return the built entry of the record that a code, a slug or a former slug stands for."""
    artefact = ours()
    code = artefact.code_of(name)
    if code is None or code not in artefact.codes:
        raise error("code-unknown", name=name)
    return artefact.entry(code)


def entries() -> tuple[Entry, ...]:
    """Return the built entries of all records, ordered by slug."""
    return ours().entries()


def _blank(name: str) -> RopeguardError:
    kind = _CLASSES[name]
    return kind.__new__(kind)
