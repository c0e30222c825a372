"""Changes of a shape that lead to a wanted one."""

import itertools
from collections.abc import Iterator, Sequence

from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.regrouping import regrouped, regrouped_and_swapped
from ropeguard.diagnosis.resizing import indexed, reinterpreted, resized
from ropeguard.diagnosis.steps import Shape, Step, Steps, matches, names_of, transposition
from ropeguard.diagnosis.wants import Wants


def ways(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield changes that lead from a shape to the wanted one, no more than a few of each kind."""
    if len(shape) > 8 or len(wants) > 8:
        return
    for family in (_transposed, _squeezed, _expanded, regrouped, regrouped_and_swapped):
        yield from itertools.islice(family(shape, wants), 6)
    for family in (resized, indexed, reinterpreted):
        yield from itertools.islice(family(shape, wants), 6)


def _transposed(shape: Shape, wants: Wants) -> Iterator[Steps]:
    if len(shape) != len(wants) or matches(shape, wants):
        return
    orders = sorted(_orders(shape, wants), key=_disorder)[:6]
    for order in orders:
        yield (transposition(shape, order, names_of(wants)),)


def _orders(shape: Shape, wants: Wants) -> Iterator[tuple[int, ...]]:
    """Yield orders of the axes that match the wanted sizes."""

    def extended(taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(taken) == len(wants):
            yield taken
            return
        # An axis that stays in its place is tried first, so that the simplest orders come early.
        here = len(taken)
        for axis in sorted(range(len(shape)), key=lambda axis: axis != here):
            if axis not in taken and wants[here].accepts(shape[axis]):
                yield from extended((*taken, axis))

    return itertools.islice(extended(()), 48)


def _disorder(order: Sequence[int]) -> tuple[int, int]:
    moved = [abs(i - axis) for i, axis in enumerate(order) if i != axis]
    return len(moved), sum(moved)


def _squeezed(shape: Shape, wants: Wants) -> Iterator[Steps]:
    surplus = len(shape) - len(wants)
    ones = [i for i, size in enumerate(shape) if size == 1]
    if not 0 < surplus <= len(ones):
        return
    for axes in itertools.islice(itertools.combinations(ones, surplus), 8):
        left = tuple(size for i, size in enumerate(shape) if i not in axes)
        text = f"{{x}}.squeeze({axes[0] if surplus == 1 else axes})"
        which = " and ".join(f"axis {axis}" for axis in axes)
        why = f"{which} of size 1 {'is' if surplus == 1 else 'are'} too many"
        step = Step("squeeze", text, left, ranking.COSTS["squeeze"] + 0.01 * axes[0], why)
        if matches(left, wants):
            yield (step,)
        else:
            for more in itertools.islice(_transposed(left, wants), 2):
                yield (step, *more)


def _expanded(shape: Shape, wants: Wants) -> Iterator[Steps]:
    missing = len(wants) - len(shape)
    if not 0 < missing <= 3:
        return
    for axes in itertools.islice(itertools.combinations(range(len(wants)), missing), 20):
        sizes = iter(shape)
        after = tuple(1 if i in axes else next(sizes) for i in range(len(wants)))
        cost = ranking.COSTS["expand"] + 0.02 * axes[0]
        named = " and ".join(f"axis {axis} ({wants[axis].name.strip('#*')})" for axis in axes)
        why = f"it lacks {named}, and gets it with size 1"
        step = Step("expand", _with_axes(axes, len(wants)), after, cost, why)
        if matches(after, wants):
            yield (step,)
            continue
        grown = tuple(
            want.size if i in axes and want.size is not None else size
            for i, (want, size) in enumerate(zip(wants, after, strict=True))
        )
        if matches(grown, wants):
            roles = [ranking.role_of(wants[i].name) for i in axes if grown[i] != 1]
            yield step, _broadcast_to(grown, roles)


def _with_axes(axes: Sequence[int], rank: int) -> str:
    if axes == tuple(range(len(axes))):
        return f"{{x}}[{', '.join(['None'] * len(axes))}]"
    if axes == (rank - 1,):
        return "{x}[..., None]"
    items = ["None" if i in axes else ":" for i in range(max(axes) + 1)]
    return f"{{x}}[{', '.join(items)}]"


def _broadcast_to(shape: Shape, roles: Sequence[str]) -> Step:
    costs = ranking.BROADCASTS
    cost = ranking.COSTS["broadcast"] + sum(costs.get(role, costs[""]) for role in roles)
    why = f"repeats its entries to {shape}"
    return Step("broadcast", f"mx.broadcast_to({{x}}, {shape})", shape, cost, why)
