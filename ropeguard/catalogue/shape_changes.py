"""Changes of one array's shape, as code, each with what it costs to believe in it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Shape: TypeAlias = tuple[int, ...]
    _Family: TypeAlias = Callable[[Shape, Collection[int]], Iterator[tuple[str, Shape, float]]]

MOST_AXES = 6


def changes(
    shape: Shape, sizes: Collection[int], only: Collection[str] = ()
) -> Iterator[tuple[str, Shape, float]]:
    """Yield changes of a shape: the code with `{x}` for the array, the shape after it, the cost.

    Args:
        shape: The shape.
        sizes: Sizes that an axis may be split into.
        only: Families, or code, of the changes that are wanted; by default all.
    """
    for name, family in FAMILIES.items():
        for text, after, cost in family(shape, sizes):
            if not only or name in only or text in only:
                yield text, after, cost


def _turned(shape: Shape, _sizes: Collection[int]) -> Iterator[tuple[str, Shape, float]]:
    """Yield orders of the axes; of those that give the same shape, the simplest."""
    seen = {shape}
    for text, order, cost in sorted(_orders(len(shape)), key=lambda it: it[2]):
        after = tuple(shape[at] for at in order)
        if after not in seen:
            seen.add(after)
            yield text, after, cost


def _orders(rank: int) -> Iterator[tuple[str, Sequence[int], float]]:
    for i, j in itertools.combinations(range(rank), 2):
        order = list(range(rank))
        order[i], order[j] = j, i
        last = j == rank - 1 and i == rank - 2
        text = "{x}.swapaxes(-1, -2)" if last else f"{{x}}.swapaxes({i}, {j})"
        yield text, order, 1.0 if last else 1.1 if j == i + 1 else 1.3
    for source, target in itertools.permutations(range(rank), 2):
        if abs(source - target) > 1:
            moved = [at for at in range(rank) if at != source]
            moved.insert(target, source)
            start, end = (-1 if at == rank - 1 else at for at in (source, target))
            yield f"mx.moveaxis({{x}}, {start}, {end})", moved, 1.2
    if rank <= 4:
        for axes in itertools.permutations(range(rank)):
            yield f"{{x}}.transpose{axes}", axes, 1.6


def _squeezed(shape: Shape, _sizes: Collection[int]) -> Iterator[tuple[str, Shape, float]]:
    ones = [at for at, size in enumerate(shape) if size == 1]
    for count in (1, 2):
        for axes in itertools.combinations(ones, count):
            text = f"{{x}}.squeeze({axes[0] if count == 1 else axes})"
            left = tuple(size for at, size in enumerate(shape) if at not in axes)
            yield text, left, 0.8 + 0.2 * count


def _expanded(shape: Shape, _sizes: Collection[int]) -> Iterator[tuple[str, Shape, float]]:
    for count in (1, 2, 3):
        rank = len(shape) + count
        if rank > MOST_AXES:
            break
        for first in range(len(shape) + 1):
            axes = range(first, first + count)
            after = (*shape[:first], *[1] * count, *shape[first:])
            yield _indexed(axes, rank), after, 0.5 + 0.5 * count + 0.2 * first


def _indexed(axes: Sequence[int], rank: int) -> str:
    if axes[-1] == rank - 1 and len(axes) == 1:
        return "{x}[..., None]"
    last = rank - 1 if axes[-1] < rank - 1 and len(axes) > 1 and axes[0] else axes[-1]
    return "{x}[" + ", ".join("None" if at in axes else ":" for at in range(last + 1)) + "]"


def _merged(shape: Shape, _sizes: Collection[int]) -> Iterator[tuple[str, Shape, float]]:
    for at in range(len(shape) - 1):
        after = (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
        yield (
            f"{{x}}.reshape({', '.join(map(str, after))})",
            after,
            2.0 - 0.1 * (at == len(shape) - 2),
        )


def _split(shape: Shape, sizes: Collection[int]) -> Iterator[tuple[str, Shape, float]]:
    for at, size in enumerate(shape):
        for part in sorted(sizes):
            if 1 < part < size and size % part == 0:
                for pair in ((size // part, part), (part, size // part)):
                    after = (*shape[:at], *pair, *shape[at + 1 :])
                    text = f"{{x}}.reshape({', '.join(map(str, after))})"
                    yield text, after, 2.6


FAMILIES: Mapping[str, _Family] = {
    "turn": _turned,
    "squeeze": _squeezed,
    "expand": _expanded,
    "merge": _merged,
    "split": _split,
}
