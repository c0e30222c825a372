"""From a violation to its suggestions, ranked."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ropeguard.contracts import Contract, Violation
from ropeguard.contracts.describing import dtype_name, scalar_text, type_name
from ropeguard.contracts.nodes import Anything
from ropeguard.contracts.recheck import Case, Recheck, is_stand_in
from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.calls import CallSite
from ropeguard.diagnosis.edits import Edit
from ropeguard.diagnosis.places import places_of, value_at
from ropeguard.diagnosis.search import Found, search
from ropeguard.diagnosis.suggestion import Change, Suggestion
from ropeguard.diagnosis.wants import looks_of


# Kinds that no change of an argument's shape, dtype or number can answer.
_HOPELESS = frozenset({"unbound", "mutated", "finite", "unique", "alias", "expression"})


def suggestions_for(
    case: Case, violation: Violation, site: CallSite | None, favoured: frozenset[str]
) -> tuple[Suggestion, ...]:
    """Return what would repair the call, the least far-fetched first: each was tried.

    Args:
        case: The call, with stand-ins for its arrays.
        violation: What is wrong.
        site: Where the call is written, if that is known.
        favoured: The changes that the record expects.
    """
    if violation.kind in _HOPELESS or _is_of_elements(violation):
        return ()
    if case.output is not None:
        case, violation, site = *_of_output(case, violation), None
    found = [it.favouring(favoured) for it in search(case, violation) if it.cost <= ranking.MOST]
    found.sort(key=lambda it: it.cost)
    return tuple(_suggestion(case, it, site) for it in found)


def _of_output(case: Case, violation: Violation) -> tuple[Case, Violation]:
    """Make what a call gave one more argument, the only one that may change."""
    node, value, name = case.output or (Anything(), None, "")
    called = "result" if name == "return" else "item"
    while called in case.arguments:
        called += "_"
    contract: Contract = case.contract
    last = inspect.Parameter(called, inspect.Parameter.KEYWORD_ONLY)
    known = [it for it in contract.signature.parameters.values() if it.name in case.arguments]
    before = [it for it in known if it.kind is not inspect.Parameter.VAR_KEYWORD]
    after = [it for it in known if it.kind is inspect.Parameter.VAR_KEYWORD]
    plain = [it.replace(default=inspect.Parameter.empty) for it in (*before, last, *after)]
    contract = attrs.evolve(
        contract,
        signature=inspect.Signature(plain),
        parameters={**contract.parameters, called: node},
    )
    argument = called + violation.argument[len(name) :]
    case = Case(contract, {**case.arguments, called: value}, "output")
    return case, attrs.evolve(violation, argument=argument, recheck=Recheck())


def _is_of_elements(violation: Violation) -> bool:
    found = violation.found
    return violation.kind == "range" and found is not None and found.shape is not None


def _suggestion(case: Case, found: Found, site: CallSite | None) -> Suggestion:
    pairs = [pair for edit in found.edits for pair in _statements(case.arguments, edit)]
    code = "\n".join(f"{target} = {value}" for target, value in pairs)
    changes = tuple(
        Change(place.name, text_of(value_at(case.arguments, place)), text_of(value))
        for edit in found.edits
        for place, value in edit.changes
    )
    guess = any(edit.guess for edit in found.edits)
    return Suggestion(
        code,
        _why(found.edits),
        "likely" if guess else "verified",
        changes,
        tuple(dict.fromkeys(move for edit in found.edits for move in edit.moves)),
        round(found.cost, 3),
        "" if site is None else site.in_its_names(pairs),
    )


def _statements(arguments: Mapping[str, Any], edit: Edit) -> list[tuple[str, str]]:
    pairs = edit.statement(arguments)
    if len(pairs) < 2:
        return pairs
    return [(", ".join(it for it, _ in pairs), ", ".join(it for _, it in pairs))]


def _why(edits: Sequence[Edit]) -> str:
    """Give each reason once, with the arguments that it holds for."""
    reasons: dict[str, list[str]] = {}
    for edit in edits:
        reasons.setdefault(edit.why, []).append(edit.place.name)
    said = []
    for why, names in reasons.items():
        listed = ", ".join(f"`{name}`" for name in names)
        if why.startswith("`") or not why:
            said.append(why)
        else:
            said.append(f"{listed}: {why}")
    return "; ".join(it for it in said if it)


def text_of(value: Any) -> str:
    """Write a value or a stand-in as a diagnostic's table does."""
    if is_stand_in(value):
        library = "" if value.kind.__module__ == "mlx.core" else f"{value.kind.__module__} "
        return f"{library}{dtype_name(value)} {value.shape}"
    return scalar_text(value) or type_name(value)


def sizes_of(case: Case) -> tuple[str, ...]:
    """Say what each axis name is, with the arguments that say so."""
    found: dict[str, dict[int, list[str]]] = {}
    for look in looks_of(places_of(case.contract, case.arguments), case.arguments):
        for name, size in look.sizes:
            places = found.setdefault(name, {}).setdefault(size, [])
            if look.place.name not in places:
                places.append(look.place.name)
    return tuple(
        f"{name} = " + " or ".join(f"{size} ({', '.join(it)})" for size, it in sizes.items())
        for name, sizes in found.items()
    )
