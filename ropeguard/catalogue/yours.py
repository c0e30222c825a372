"""What a pasted text says of its own case: the values in words, and what would fit."""

from __future__ import annotations

from collections.abc import Mapping

from ropeguard.catalogue.artefact import Entry


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.fitting import Fit
    from ropeguard.catalogue.templates import Value


def sentence(entry: Entry, values: Mapping[str, Value]) -> str | None:
    """Return what the values mean, in words, if the record has a sentence for them."""
    if not (values and entry["readings"]):
        return None
    from ropeguard.catalogue.sentences import filled

    types = {name: field["type"] for name, field in entry["fields"].items()}
    return filled(entry["readings"], values, types)


def suggestions(
    entry: Entry, values: Mapping[str, Value], names: Mapping[str, str] | None = None
) -> list[Fit]:
    """Return changes after which the shapes of the text fit; each was tried on them.

    Args:
        entry: The record.
        values: What the text says of the record's fields.
        names: What the arrays are called, by field, where that is known.
    """
    if not (values and entry["repair"]):
        return []
    from ropeguard.catalogue.fitting import fits

    return fits(entry["repair"], values, names)
