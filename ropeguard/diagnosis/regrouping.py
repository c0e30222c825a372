"""Changes that merge neighbouring axes, and split single ones."""

import itertools
import math
from collections.abc import Iterator, Sequence

from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.steps import (
    MOST_ELEMENTS,
    Shape,
    Step,
    Steps,
    names_of,
    transposition,
)
from ropeguard.diagnosis.wants import Want, Wants


def regrouped(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield reshapes in which no element changes its place among its neighbours."""
    for after, moves in groupings(shape, wants):
        yield (_reshape(shape, after, moves, names_of(wants)),)


def _reshape(shape: Shape, after: Shape, moves: Sequence[str], names: Sequence[str]) -> Step:
    move = "split" if "split" in moves else "merge"
    cost = ranking.COSTS[move] + 0.3 * (len(moves) - 1)
    cost += 0 if _is_likely(shape, after, names) else ranking.UNLIKELY_GROUP
    text = f"{{x}}.reshape({', '.join(map(str, after))})"
    return Step(move, text, after, cost, _grouping_text(shape, after, names))


def _is_likely(shape: Shape, after: Shape, names: Sequence[str]) -> bool:
    """Say whether axes that a split takes apart are ones that models keep as one."""
    for (a, b), (c, d) in _blocks(shape, after):
        roles = tuple(ranking.role_of(name) for name in names[c:d])
        if b - a == 1 and d - c == 2 and "" not in roles and roles not in ranking.GROUPS:
            return False
    return True


def _grouping_text(shape: Shape, after: Shape, names: Sequence[str]) -> str:
    """Say which axis is which others merged."""
    said = []
    for (a, b), (c, d) in _blocks(shape, after):
        if d - c > 1 and b - a == 1 and shape[a] != 1:
            parts = " * ".join(f"{name.strip('#*')}" for name in names[c:d])
            product = " * ".join(str(size) for size in after[c:d])
            said.append(f"axis {a} of size {shape[a]} is {parts} ({product}) in one")
        elif b - a > 1 and d - c == 1:
            axes = " and ".join(str(i) for i in range(a, b))
            said.append(f"axes {axes} together are {names[c].strip('#*')} ({after[c]})")
    return "; ".join(said)


def _blocks(shape: Shape, after: Shape) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Pair the runs of axes that hold the same elements."""
    i = j = 0
    while i < len(shape) and j < len(after):
        a, c, left, right = i, j, shape[i], after[j]
        i, j = i + 1, j + 1
        while left != right:
            if left < right and i < len(shape):
                left, i = left * shape[i], i + 1
            elif right < left and j < len(after):
                right, j = right * after[j], j + 1
            else:
                return
        yield (a, i), (c, j)


def groupings(shape: Shape, wants: Wants) -> Iterator[tuple[Shape, list[str]]]:
    """Yield shapes of the wanted kind that merge neighbouring axes and split single ones."""
    if math.prod(shape) == 0 or math.prod(shape) >= MOST_ELEMENTS:
        return

    def blocks(i: int, j: int, after: Shape, moves: list[str]) -> Iterator[tuple[Shape, list[str]]]:
        if i == len(shape) and j == len(wants):
            if moves:
                yield after, moves
            return
        if i == len(shape) or j == len(wants):
            return
        if wants[j].accepts(shape[i]):
            yield from blocks(i + 1, j + 1, (*after, shape[i]), moves)
        for taken in range(2, len(shape) - i + 1):
            merged = math.prod(shape[i : i + taken])
            if wants[j].accepts(merged) and 1 not in shape[i : i + taken]:
                yield from blocks(i + taken, j + 1, (*after, merged), [*moves, "merge"])
        for taken in range(2, len(wants) - j + 1):
            sizes = split(shape[i], wants[j : j + taken])
            if sizes is not None:
                yield from blocks(i + 1, j + taken, after + sizes, [*moves, "split"])

    yield from itertools.islice(blocks(0, 0, (), []), 12)


def split(size: int, wants: Sequence[Want]) -> Shape | None:
    """Return the sizes that one axis splits into, if no more than one of them is open."""
    known = [want.size for want in wants if want.size is not None]
    product, open_ = math.prod(known), len(wants) - len(known)
    if open_ > 1 or product == 0 or size % product or (not open_ and size != product):
        return None
    sizes = tuple(size // product if want.size is None else want.size for want in wants)
    return None if 1 in sizes else sizes


def regrouped_and_swapped(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield a split with a transposition after it, or a merge with one before."""
    if len(wants) > len(shape):
        for i, j in _swaps(len(wants)):
            turned = list(wants)
            turned[i], turned[j] = turned[j], turned[i]
            for after, moves in itertools.islice(groupings(shape, tuple(turned)), 2):
                reshape = _reshape(shape, after, moves, names_of(tuple(turned)))
                order = _swapped(len(wants), i, j)
                yield reshape, transposition(after, order, names_of(wants))
    if len(wants) < len(shape):
        for i, j in _swaps(len(shape)):
            swap = transposition(shape, _swapped(len(shape), i, j))
            for after, moves in itertools.islice(groupings(swap.shape, wants), 2):
                yield swap, _reshape(swap.shape, after, moves, names_of(wants))


def _swaps(rank: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of axes: tokens and heads first, which are before the last axis."""
    pairs = [(i, i + 1) for i in range(rank - 1)]
    yield from sorted(pairs, key=lambda pair: (pair[1] == rank - 1, pair[0] == 0))


def _swapped(rank: int, i: int, j: int) -> list[int]:
    order = list(range(rank))
    order[i], order[j] = j, i
    return order
