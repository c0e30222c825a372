"""What may be wrong with a call, and the changes that would put it right."""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ropeguard.contracts import Violation
from ropeguard.contracts.recheck import Case, is_stand_in
from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.edits import Edit, edits_of, other, swapped, turning
from ropeguard.diagnosis.integers import integer_edits
from ropeguard.diagnosis.places import Place, places_of
from ropeguard.diagnosis.wants import Look, known_sizes, looks_of


# Kinds of which a layout that several arguments share may be the reason.
_OF_SIZES = ("bound", "size", "symbolic", "variadic", "broadcast")

Edits = tuple[Edit, ...]


def proposals(
    case: Case, arguments: Mapping[str, Any], changed: Collection[str], violation: Violation
) -> Iterator[tuple[Edits, float]]:
    """Yield changes that may help against a violation, with what they cost.

    Args:
        case: The call.
        arguments: Its arguments, as they are by now.
        changed: The places that are changed already.
        violation: What is wrong with them.
    """
    looks = looks_of(places_of(case.contract, arguments), arguments)
    free = [look for look in looks if look.place.name not in changed]
    if case.stage == "output":
        # Arguments that a function was called with are not to blame for what it gave.
        root = violation.argument.partition("[")[0]
        free = [look for look in free if look.place.root == root]
    for look, extra in _focus(free, violation):
        for edits in _changes(look, free, looks, arguments):
            more = ranking.SAME_CHANGE * (len(edits) - 1)
            if extra == ranking.NOT_BLAMED and edits[0].guess:
                more += ranking.GUESS_NOT_BLAMED
            yield edits, edits[0].cost + extra + more
    layouts = free if violation.kind in _OF_SIZES else ()
    for edits in _turned(layouts, violation.argument):
        more = ranking.SAME_CHANGE * (len(edits) - 1)
        yield edits, edits[0].cost + ranking.NOT_BLAMED_IN_TIE + more
    places = [look.place for look in free]
    for edit in integer_edits(places, arguments, known_sizes(looks, arguments, ())):
        yield (edit,), edit.cost
    for edit in _exchanged(places, violation):
        yield (edit,), edit.cost


def _focus(looks: Sequence[Look], violation: Violation) -> Iterator[tuple[Look, float]]:
    """Yield the places that may be wrong: the blamed one, then those that it contradicts."""
    others = {origin.argument for origin in violation.origin}
    dearer = ranking.NOT_BLAMED_IN_TIE if violation.tie else ranking.NOT_BLAMED
    for look in looks:
        if look.place.name == violation.argument:
            yield look, 0.0
        elif look.place.name in others and len(others) <= 3:
            yield look, dearer


def _changes(
    look: Look, free: Sequence[Look], looks: Sequence[Look], arguments: Mapping[str, Any]
) -> Iterator[Edits]:
    """Yield changes of one place, alone and made to all that may be wrong for the same reason."""
    name = look.place.name
    for edit in edits_of(look, looks, known_sizes(looks, arguments, {name})):
        yield (edit,)
    rest = [it for it in free if it.place.name != name and it.place.arrays]
    wrong = [it for it in rest if not it.fits]
    alike = [it for it in rest if it.like(look)]
    twins = [it for it in alike if it.place.arrays[0].text == look.place.arrays[0].text]
    for number, peers in enumerate((wrong, alike, twins)):
        if peers and peers not in (wrong, alike, twins)[:number]:
            without = {name, *(it.place.name for it in peers)}
            known = known_sizes(looks, arguments, without)
            choices = [edits_of(it, looks, known) for it in peers]
            for edit in edits_of(look, looks, known):
                same = [next((it for it in made if it.is_like(edit)), None) for made in choices]
                group = tuple(it for it in same if it is not None)
                if group:
                    yield (edit, *group)


def _turned(looks: Sequence[Look], blamed: str) -> Iterator[Edits]:
    """Yield one transposition of several arguments that may all have the same wrong layout."""
    arrays = [it for it in looks if it.fits and is_stand_in(it.place.value) and it.place.arrays]
    sets: dict[tuple[str, ...], list[Place]] = {}
    for rank in sorted({it.place.value.ndim for it in arrays if 2 <= it.place.value.ndim <= 6}):
        peers = [it.place for it in arrays if it.place.value.ndim == rank]
        texts = dict.fromkeys(it.arrays[0].text for it in peers)
        groups = [peers, [it for it in peers if it.name != blamed]]
        groups += [[it for it in peers if it.arrays[0].text == text] for text in texts]
        for group in groups:
            if 2 <= len(group) <= 8:
                sets.setdefault(tuple(it.name for it in group), group)
    for group in list(sets.values())[:6]:
        for i in range(group[0].value.ndim - 1):
            yield tuple(turning(place, i, i + 1) for place in group)


def _exchanged(places: Sequence[Place], violation: Violation) -> Iterator[Edit]:
    """Yield arguments in each other's place, and one in place of another."""
    names = {violation.argument, *(origin.argument for origin in violation.origin)}
    # Of two numbers that bound each other one order always fits: that says nothing.
    numbers = violation.kind != "range"
    whole = [
        it for it in places if not it.keys and (it.arrays or (numbers and type(it.value) is int))
    ]
    for left, right in itertools.combinations(whole[:24], 2):
        if names & {left.name, right.name} and _may_swap(left, right):
            yield swapped(left, right)
    blamed = next((it for it in whole if it.name == violation.argument and it.arrays), None)
    if blamed is not None:
        for source in whole:
            akin = source is not blamed and _are_akin(source.name, blamed.name)
            if akin and source.arrays and _may_pass(source, blamed):
                yield other(blamed, source)


def _are_akin(left: str, right: str) -> bool:
    """Say whether two names share a word, so that one may be written for the other."""
    return bool(set(left.split("_")) & set(right.split("_")))


def _may_swap(left: Place, right: Place) -> bool:
    if not left.arrays and not right.arrays:
        return bool(left.value != right.value)
    return left.value is not right.value and _may_pass(left, right) and _may_pass(right, left)


def _may_pass(source: Place, target: Place) -> bool:
    """Say whether a value has class, dtype and number of axes that another place wants."""
    if not target.arrays or not is_stand_in(source.value):
        return any(it.check(source.value) for it in target.plains)
    rank = source.value.ndim
    return any(
        isinstance(source.value, node.any_shape)
        and (len(node.axes) == rank or any(dim.text.startswith(("*", ".")) for dim in node.axes))
        for node in target.arrays
    )
