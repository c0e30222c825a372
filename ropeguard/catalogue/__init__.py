"""The error catalogue: records, the exceptions made of them, look-up, rendering and proof."""

# Importing `typing` would cost a look-up a tenth of its time; type checkers know this name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.artefact import Entry as Entry
    from ropeguard.catalogue.foreign import open_catalogue as open_catalogue
    from ropeguard.catalogue.lookup import Answer as Answer, Hit as Hit, look_up as look_up
    from ropeguard.catalogue.model import Record as Record, Source as Source
    from ropeguard.catalogue.proof import prove as prove
    from ropeguard.catalogue.raising import (
        RopeguardError as RopeguardError,
        entries as entries,
        entry as entry,
        error as error,
    )
    from ropeguard.catalogue.source import (
        Catalogue as Catalogue,
        load as load,
        records_folder as records_folder,
    )

_HOMES = {
    "Answer": "lookup",
    "Catalogue": "source",
    "Entry": "artefact",
    "Hit": "lookup",
    "Record": "model",
    "RopeguardError": "raising",
    "Source": "model",
    "entries": "raising",
    "entry": "raising",
    "error": "raising",
    "load": "source",
    "look_up": "lookup",
    "open_catalogue": "foreign",
    "prove": "proof",
    "records_folder": "source",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that a look-up pays for nothing else."""
    from importlib import import_module

    if name not in _HOMES:
        from ropeguard.catalogue.raising import error

        raise error("public-name-unknown", name=f"catalogue.{name}")
    home = import_module(f"ropeguard.catalogue.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value
