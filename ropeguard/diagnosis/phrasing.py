"""What a record says of its own fixers: which changes it expects, and how it words them."""

from collections.abc import Mapping

import attrs

from ropeguard.catalogue import Entry
from ropeguard.catalogue.pages import solution_text
from ropeguard.diagnosis.suggestion import Suggestion


def favoured(entry: Entry) -> frozenset[str]:
    """Return the changes that a record names as its fixers."""
    return frozenset(it["fixer"] for it in entry["solutions"] if it["fixer"])


def phrased(suggestion: Suggestion, entry: Entry, fields: Mapping[str, object]) -> Suggestion:
    """Return a suggestion with the record's words for it, if it has some.

    A change that is made to several arguments, or that is made of several, keeps its own reason.
    """
    if len(suggestion.moves) != 1 or len(suggestion.changes) != 1:
        return suggestion
    if fields.get("argument") != suggestion.changes[0].argument:
        return suggestion
    for solution in entry["solutions"]:
        if solution["fixer"] == suggestion.moves[0]:
            words = solution_text(solution, entry, fields)
            return attrs.evolve(suggestion, advice=words)
    return suggestion
