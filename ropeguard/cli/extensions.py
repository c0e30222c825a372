"""The catalogues that installed packages bring."""

from ropeguard.catalogue.shelf import Shelf


def extension_shelves() -> list[Shelf]:
    """Return the catalogues of installed packages; one that cannot be read is reported."""
    from ropeguard.catalogue.foreign import extensions
    from ropeguard.cli import report

    shelves: list[Shelf] = []
    for found in extensions():
        if isinstance(found, Exception):
            report(found)
        else:
            shelves.append(found)
    return shelves
