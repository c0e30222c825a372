"""The error catalogue: records, the exceptions made of them, look-up and rendering."""

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from ropeguard.catalogue.artefact import Entry as Entry
    from ropeguard.catalogue.raising import (
        RopeguardError as RopeguardError,
        entries as entries,
        entry as entry,
        error as error,
    )

_HOMES = {
    "Entry": "artefact",
    "RopeguardError": "raising",
    "entries": "raising",
    "entry": "raising",
    "error": "raising",
}
__all__ = ["Entry", "RopeguardError", "entries", "entry", "error"]


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that a look-up pays for nothing else."""
    from importlib import import_module

    if name not in _HOMES:
        from ropeguard.catalogue.raising import error

        raise error("public-name-unknown", name=f"catalogue.{name}")
    home = import_module(f"ropeguard.catalogue.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value
