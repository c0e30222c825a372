"""Choose the record that describes a violation: the rule with most conditions that all hold."""

import functools
from collections.abc import Mapping
from typing import Any

from ropeguard.catalogue import Entry, entries, error
from ropeguard.contracts import Violation


# A record speaks of arguments or of results; where else a value can be is one or the other.
_SIDES = {"field": "argument", "yield": "result"}


def record_for(violation: Violation) -> Entry:
    """Return the built entry of the most specific record that describes a violation.

    Raises:
        RopeguardError: The catalogue has none (`record-missing`), which a test excludes for
            every kind and stage that a check can give.
    """
    scored = [
        (score, entry)
        for rule, entry in _rules().get(violation.kind, ())
        if (score := _score(rule, violation)) is not None
    ]
    if not scored:
        raise error("record-missing", slug=f"{violation.stage}-{violation.kind}")
    return max(scored, key=lambda pair: pair[0])[1]


@functools.cache
def _rules() -> Mapping[str, list[tuple[Mapping[str, Any], Entry]]]:
    """Return the catalogue's rules by kind."""
    rules: dict[str, list[tuple[Mapping[str, Any], Entry]]] = {}
    for entry in entries():
        for rule in entry.get("violations") or ():
            rules.setdefault(rule["kind"], []).append((rule, entry))
    return rules


def _score(rule: Mapping[str, Any], violation: Violation) -> int | None:
    """Return how many conditions of a rule hold, or `None` if one does not."""
    stage = _SIDES.get(violation.stage, violation.stage)
    conditions = (
        (rule["stage"] != "any", rule["stage"] in (violation.stage, stage)),
        (rule.get("function"), rule.get("function") == violation.function),
        (rule.get("arguments"), violation.parameter in (rule.get("arguments") or ())),
        (rule.get("axes"), violation.axis_name in (rule.get("axes") or ())),
    )
    stated = [holds for condition, holds in conditions if condition]
    return len(stated) if all(stated) else None
