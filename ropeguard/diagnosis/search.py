"""Search changes of a call's arguments for those after which the whole contract holds.

Nothing but stand-ins is checked, so that no array is evaluated; the number of checks is bounded,
and so is the time.
"""

import heapq
import itertools
import time
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from ropeguard.contracts import Call, Violation
from ropeguard.contracts.recheck import Case
from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.places import with_value
from ropeguard.diagnosis.proposing import Edits, proposals


MOST_CHECKS = 120
MOST_SECONDS = 0.25
MOST_FOUND = 5
_MOST_EDITS = 16
_MOST_ROUNDS = 2
_MOST_ANSWERS = 5


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

    def favouring(self, moves: Collection[str]) -> "Found":
        """Return the same, a little less far-fetched if all of it was expected."""
        expected = all(move in moves for edit in self.edits for move in edit.moves)
        return attrs.evolve(self, cost=self.cost + ranking.EXPECTED) if expected else self

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
        if left is None:
            return
        others = {origin.argument for origin in left.origin}
        if left.argument in state.changed and others <= state.changed:
            return
        if (left.argument, left.kind, left.axis) != (
            violation.argument, violation.kind, violation.axis
        ):  # fmt: skip
            self.answers += 1
            self._push(state, left)

    def _push(self, state: Found, violation: Violation) -> None:
        for edits, cost in proposals(self.case, state.arguments, state.changed, violation):
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


def _contains(state: Found, other: Found) -> bool:
    """Say whether changes are more than others that do already."""
    return {edit.key for edit in other.edits} < {edit.key for edit in state.edits}
