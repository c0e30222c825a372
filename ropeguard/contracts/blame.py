"""Who is to blame when sizes disagree: the odd one out, not the one that was checked last."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from ropeguard.contracts.describing import summary
from ropeguard.contracts.dims import Named
from ropeguard.contracts.mismatch import Mismatch, where_axis
from ropeguard.contracts.nodes import Array
from ropeguard.contracts.shapes import Subject, check_rank, one_or, placed
from ropeguard.contracts.violation import Argument, Binding, Origin
from ropeguard.contracts.walking import Part


@attrs.frozen
class _Vote:
    binding: Binding
    dim: Named
    found: Argument


def reassign(mismatch: Mismatch, parts: Iterable[Part], suspect: str | None = None) -> Mismatch:
    """Move the blame of disagreeing sizes to the axes that most others contradict.

    Args:
        mismatch: What the check found, in the order of declaration.
        parts: All of the call's values and what is inside them, with their hints and names.
        suspect: The value that was just changed, to be blamed where there is no majority.

    Returns:
        The mismatch of the first axis that contradicts the majority. Without a majority it is
        the given one, marked as a tie, with every axis of the other side as its origin.
    """
    if mismatch.name is None:
        return mismatch
    votes = _votes_on(mismatch.name, parts)
    majority = _majority([vote.binding.size for vote in votes])
    if majority is not None:
        odd = next(vote for vote in votes if vote.binding.size != majority)
        return _blaming(mismatch, odd, majority, votes)
    tied = attrs.evolve(mismatch, tie=True)
    new = [vote for vote in votes if vote.binding.argument == suspect]
    old = [vote for vote in votes if vote.binding.argument != suspect]
    if new and old and new[0].binding.size != old[0].binding.size:
        return _blaming(tied, new[0], old[0].binding.size, votes)
    agreeing = _origins(votes, mismatch.expected)
    return attrs.evolve(tied, origin=agreeing or mismatch.origin)


def _blaming(mismatch: Mismatch, odd: _Vote, expected: int, votes: Iterable[_Vote]) -> Mismatch:
    binding, broadcast = odd.binding, odd.dim.broadcast
    return attrs.evolve(
        mismatch,
        kind="broadcast" if broadcast else mismatch.kind,
        argument=binding.argument,
        hint=odd.found.hint,
        found=odd.found,
        got=binding.size,
        expected=one_or(expected) if broadcast else expected,
        axis=binding.axis,
        axis_name=odd.dim.text,
        where=where_axis(binding.axis, odd.dim),
        origin=_origins(votes, expected),
    )


def _origins(votes: Iterable[_Vote], size: object) -> tuple[Origin, ...]:
    return tuple(vote.binding.origin for vote in votes if vote.binding.size == size)


def supporters(name: str, parts: Iterable[Part]) -> tuple[Origin, ...]:
    """Return every axis that gives a name its size."""
    return tuple(vote.binding.origin for vote in _votes_on(name, parts))


def _votes_on(name: str, parts: Iterable[Part]) -> list[_Vote]:
    """Return every axis of that name in arrays that fit their hint's class and rank."""
    votes = (
        vote
        for node, value, argument in parts
        if isinstance(node, Array)
        for vote in _array_votes(node, value, argument)
    )
    return [vote for vote in votes if vote.dim.name == name]


def _majority(sizes: Sequence[int]) -> int | None:
    """Return the size that more axes have than have any other."""
    ranked = Counter(sizes).most_common(2)
    if len(ranked) < 2 or ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0]


def _array_votes(node: Array, value: Any, argument: str) -> Iterator[_Vote]:
    if not isinstance(value, node.any_shape):
        return
    shape = tuple(value.shape)
    if check_rank(node.axes, shape, Subject(argument, node.text)) is not None:
        return
    for axis, dim in placed(node.axes, len(shape)):
        if isinstance(dim, Named) and not (dim.broadcast and shape[axis] == 1):
            found = summary(value, argument, node.text)
            yield _Vote(Binding(argument, axis, shape[axis]), dim, found)
