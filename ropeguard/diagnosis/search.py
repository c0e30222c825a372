"""Search changes of a call's arguments for those after which the whole contract holds.

Nothing but stand-ins is checked, so that no array is evaluated; the number of checks is bounded,
and so is the time.
"""

import heapq
import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ropeguard.contracts import Call, Violation
from ropeguard.contracts.recheck import Case, is_stand_in
from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.edits import Edit, edits_of, other, swapped, turning
from ropeguard.diagnosis.integers import integer_edits
from ropeguard.diagnosis.places import Place, places_of, with_value
from ropeguard.diagnosis.wants import Look, known_sizes, looks_of


MOST_CHECKS = 72
MOST_SECONDS = 0.25
MOST_FOUND = 5
_MOST_EDITS = 16
_MOST_ROUNDS = 2
_MOST_ANSWERS = 5
# Kinds of which a layout that several arguments share may be the reason.
_OF_SIZES = ("bound", "size", "symbolic", "variadic", "broadcast")

Edits = tuple[Edit, ...]


@attrs.frozen
class Found:
    """Changes after which the contract holds.

    Attributes:
        edits: The changes, in order.
        cost: How far-fetched they are together.
        arguments: The arguments with all of them made.
        rounds: How many times a violation that was left had to be answered.
    """

    edits: Edits
    cost: float
    arguments: Mapping[str, Any]
    rounds: int = 0

    @property
    def changed(self) -> set[str]:
        """The places that are changed."""
        return {place.name for edit in self.edits for place, _ in edit.changes}


def search(case: Case, violation: Violation) -> list[Found]:
    """Return changes that repair a call, the least far-fetched first.

    Args:
        case: The call, with stand-ins for its arrays.
        violation: What is wrong with it.
    """
    return _Search(case).run(violation)


@attrs.define
class _Search:
    case: Case
    checks: int = 0
    answers: int = 0
    seen: set[Any] = attrs.field(factory=set)
    heap: list[tuple[float, int, Found, Violation | None]] = attrs.field(factory=list)
    number: Iterator[int] = attrs.field(factory=itertools.count)

    def run(self, violation: Violation) -> list[Found]:
        """Try the cheapest changes first until enough are found, or enough were tried."""
        end = time.thread_time() + MOST_SECONDS
        found: list[Found] = []
        self._push(Found((), 0.0, self.case.arguments), violation)
        while self.heap and self.checks < MOST_CHECKS and time.thread_time() < end:
            cost, _, state, left = heapq.heappop(self.heap)
            if found and cost > found[0].cost + 2 * ranking.MARGIN:
                break
            if left is not None:
                self._answer(state, left, found)
                continue
            self.checks += 1
            if not self._fits(state):
                self._defer(state, violation)
            elif not any(_contains(state, it) for it in found):
                found.append(state)
            if len(found) == MOST_FOUND:
                break
        return found

    def _fits(self, state: Found) -> bool:
        try:
            return Call(self.case.contract, state.arguments).fits()
        except Exception:
            return False

    def _defer(self, state: Found, violation: Violation) -> None:
        """Come back to changes that leave something wrong, once what is cheaper was tried."""
        if state.rounds < _MOST_ROUNDS and self.answers < _MOST_ANSWERS:
            cost = state.cost + ranking.ANOTHER_CHANGE + min(ranking.COSTS.values())
            heapq.heappush(self.heap, (cost, next(self.number), state, violation))

    def _answer(self, state: Found, violation: Violation, found: list[Found]) -> None:
        """Go on from changes that leave something wrong, if they have brought it further."""
        if found or self.answers == _MOST_ANSWERS:
            return
        try:
            call = Call(self.case.contract, state.arguments)
            left = call.check_arguments(values=False, stage=self.case.stage)
        except Exception:
            return
        if left is None or left.argument in state.changed:
            return
        if (left.argument, left.kind, left.axis) != (
            violation.argument, violation.kind, violation.axis
        ):  # fmt: skip
            self.answers += 1
            self._push(state, left)

    def _push(self, state: Found, violation: Violation) -> None:
        for edits, cost in self._proposals(state, violation):
            every = (*state.edits, *edits)
            key = tuple(sorted(edit.key for edit in every))
            if key in self.seen or len(every) > _MOST_EDITS:
                continue
            self.seen.add(key)
            arguments: Mapping[str, Any] = state.arguments
            for edit in edits:
                for place, value in edit.changes:
                    arguments = with_value(arguments, place, value)
            total = state.cost + cost + (ranking.ANOTHER_CHANGE if state.edits else 0.0)
            made = Found(every, total, arguments, state.rounds + 1)
            heapq.heappush(self.heap, (total, next(self.number), made, None))

    def _proposals(self, state: Found, violation: Violation) -> Iterator[tuple[Edits, float]]:
        """Yield changes that may help against a violation, with what they cost."""
        arguments = state.arguments
        looks = looks_of(places_of(self.case.contract, arguments), arguments)
        free = [look for look in looks if look.place.name not in state.changed]
        if self.case.stage == "output":
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
        known = known_sizes(looks, arguments, ())
        for edit in integer_edits([it.place for it in free], arguments, known):
            yield (edit,), edit.cost
        for edit in _exchanged([it.place for it in free], violation):
            yield (edit,), edit.cost


def _contains(state: Found, other: Found) -> bool:
    """Say whether changes are more than others that do already."""
    return {edit.key for edit in other.edits} < {edit.key for edit in state.edits}


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
    whole = [it for it in places if not it.keys and (it.arrays or type(it.value) is int)]
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
