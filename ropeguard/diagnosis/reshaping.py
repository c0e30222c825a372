"""Changes of a shape that lead to a wanted one, and how they are written."""

import itertools
import math
from collections.abc import Iterator, Sequence

import attrs

from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.wants import Want, Wants


Shape = tuple[int, ...]
_MOST_ELEMENTS = 2**63


@attrs.frozen
class Step:
    """One change of an array.

    Attributes:
        move: What it is, a key of `ranking.COSTS`.
        text: How it is written, `"{x}.swapaxes(1, 2)"`.
        shape: The shape afterwards.
        cost: How far-fetched it is.
        why: What it does, in words.
        guess: Whether it drops, repeats, adds or reorders elements.
        order: Of a transposition, the axes in their new order.
    """

    move: str
    text: str
    shape: Shape
    cost: float
    why: str = ""
    guess: bool = False
    order: tuple[int, ...] = ()


Steps = tuple[Step, ...]


def matches(shape: Shape, wants: Wants) -> bool:
    """Say whether a shape is the wanted one, as far as is known."""
    return len(shape) == len(wants) and all(
        want.accepts(size) for want, size in zip(wants, shape, strict=True)
    )


def ways(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield changes that lead from a shape to the wanted one, no more than a few of each kind."""
    if len(shape) > 8 or len(wants) > 8:
        return
    for family in (_transposed, _squeezed, _expanded, _regrouped, _regrouped_and_swapped):
        yield from itertools.islice(family(shape, wants), 6)
    for family in (_resized, _indexed, _reinterpreted):
        yield from itertools.islice(family(shape, wants), 6)


def transposition(shape: Shape, order: Sequence[int], names: Sequence[str] = ()) -> Step:
    """Return the transposition that puts axes into an order."""
    after = tuple(shape[i] for i in order)
    moved = [i for i, axis in enumerate(order) if i != axis]
    if len(moved) == 2:
        i, j = moved
        cost = ranking.COSTS["swapaxes"] + ranking.FAR_AXES * (j - i - 1)
        if len(names) == len(order):
            roles = {ranking.role_of(names[i]), ranking.role_of(names[j])}
            cost += ranking.HEADS_AND_TOKENS if roles == {"heads", "tokens"} else 0
        text = f"{{x}}.swapaxes({i}, {j})"
        if j == len(order) - 1:
            text = f"{{x}}.swapaxes({i - len(order)}, -1)"
        return Step("swapaxes", text, after, cost, order=tuple(order))
    text = f"{{x}}.transpose({', '.join(map(str, order))})"
    cost = ranking.COSTS["transpose"] + (ranking.ONE_AXIS_MOVED if _moves_one(order) else 0)
    return Step("transpose", text, after, cost, order=tuple(order))


def _moves_one(order: Sequence[int]) -> bool:
    """Say whether an order is the old one but for a single axis."""
    return any(
        [it for it in order if it != axis] == [it for it in range(len(order)) if it != axis]
        for axis in order
    )


def _names(wants: Wants) -> list[str]:
    return [want.name for want in wants]


def _transposed(shape: Shape, wants: Wants) -> Iterator[Steps]:
    if len(shape) != len(wants) or matches(shape, wants):
        return
    orders = sorted(_orders(shape, wants), key=_disorder)[:6]
    for order in orders:
        yield (transposition(shape, order, _names(wants)),)


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
            yield step, _broadcast_to(grown)


def _with_axes(axes: Sequence[int], rank: int) -> str:
    if axes == tuple(range(len(axes))):
        return f"{{x}}[{', '.join(['None'] * len(axes))}]"
    if axes == (rank - 1,):
        return "{x}[..., None]"
    items = ["None" if i in axes else ":" for i in range(max(axes) + 1)]
    return f"{{x}}[{', '.join(items)}]"


def _broadcast_to(shape: Shape) -> Step:
    why = f"repeats its entries to {shape}"
    return Step(
        "broadcast", f"mx.broadcast_to({{x}}, {shape})", shape, ranking.COSTS["broadcast"], why
    )


def _regrouped(shape: Shape, wants: Wants) -> Iterator[Steps]:
    for after, moves in _groupings(shape, wants):
        yield (_reshape(shape, after, moves, _names(wants)),)


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


def _groupings(shape: Shape, wants: Wants) -> Iterator[tuple[Shape, list[str]]]:
    """Yield shapes of the wanted kind that merge neighbouring axes and split single ones."""
    if math.prod(shape) == 0 or math.prod(shape) >= _MOST_ELEMENTS:
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
            sizes = _split(shape[i], wants[j : j + taken])
            if sizes is not None:
                yield from blocks(i + 1, j + taken, after + sizes, [*moves, "split"])

    yield from itertools.islice(blocks(0, 0, (), []), 12)


def _split(size: int, wants: Sequence[Want]) -> Shape | None:
    """Return the sizes that one axis splits into, if no more than one of them is open."""
    known = [want.size for want in wants if want.size is not None]
    product, open_ = math.prod(known), len(wants) - len(known)
    if open_ > 1 or product == 0 or size % product or (not open_ and size != product):
        return None
    sizes = tuple(size // product if want.size is None else want.size for want in wants)
    return None if 1 in sizes else sizes


def _regrouped_and_swapped(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield a split with a transposition after it, or a merge with one before."""
    if len(wants) > len(shape):
        for i, j in _swaps(len(wants)):
            turned = list(wants)
            turned[i], turned[j] = turned[j], turned[i]
            for after, moves in itertools.islice(_groupings(shape, tuple(turned)), 2):
                reshape = _reshape(shape, after, moves, _names(tuple(turned)))
                order = _swapped(len(wants), i, j)
                yield reshape, transposition(after, order, _names(wants))
    if len(wants) < len(shape):
        for i, j in _swaps(len(shape)):
            swap = transposition(shape, _swapped(len(shape), i, j))
            for after, moves in itertools.islice(_groupings(swap.shape, wants), 2):
                yield swap, _reshape(swap.shape, after, moves, _names(wants))


def _swaps(rank: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of axes: tokens and heads first, which are before the last axis."""
    pairs = [(i, i + 1) for i in range(rank - 1)]
    yield from sorted(pairs, key=lambda pair: (pair[1] == rank - 1, pair[0] == 0))


def _swapped(rank: int, i: int, j: int) -> list[int]:
    order = list(range(rank))
    order[i], order[j] = j, i
    return order


def _resized(shape: Shape, wants: Wants) -> Iterator[Steps]:
    if len(shape) != len(wants):
        return
    wrong = [i for i, want in enumerate(wants) if not want.accepts(shape[i])]
    if not 0 < len(wrong) <= 2:
        return
    partial: list[Steps] = [()]
    for axis in wrong:
        partial = [
            (*steps, step)
            for steps in partial
            for step in _resized_axis(steps[-1].shape if steps else shape, axis, wants[axis])
        ][:6]
    yield from partial


def _resized_axis(shape: Shape, axis: int, want: Want) -> Iterator[Step]:
    got, size, role = shape[axis], want.size or 0, ranking.role_of(want.name)
    after = (*shape[:axis], size, *shape[axis + 1 :])
    name = want.name.strip("#*")
    costs = ranking.COSTS
    if got == 1 and size > 1:
        why = f"repeats its one entry {size} times along axis {axis} ({name})"
        yield Step("repeat", f"mx.repeat({{x}}, {size}, axis={axis})", after, costs["repeat"], why)
        return
    if 0 < got < size and size % got == 0:
        cost = costs["repeat"] + ranking.REPEATS.get(role, ranking.REPEATS[""])
        times = size // got
        why = f"repeats each of the {got} entries {times} times along axis {axis} ({name})"
        text, guess = f"mx.repeat({{x}}, {times}, axis={axis})", role != "heads"
        yield Step("repeat", text, after, cost, why, guess)
    if got > size:
        lost = ranking.LOSES_PART * (got - size) / got
        cost = costs["slice"] + ranking.SLICES.get(role, ranking.SLICES[""]) + lost
        before = ":, " * axis
        why = f"keeps the first {size} of {got} along axis {axis} ({name})"
        yield Step("slice", f"{{x}}[{before}:{size}]", after, cost, why, True)
        if size:
            why = f"keeps the last {size} of {got} along axis {axis} ({name})"
            cost += ranking.LIKELY_SLICE_END
            yield Step("slice", f"{{x}}[{before}-{size}:]", after, cost, why, True)
    if got < size:
        cost = costs["pad"] + ranking.PADS.get(role, ranking.PADS[""])
        widths = [(0, size - got) if i == axis else (0, 0) for i in range(len(shape))]
        why = f"adds {size - got} zero{'s' * (size - got > 1)} along axis {axis} ({name})"
        yield Step("pad", f"mx.pad({{x}}, {widths})", after, cost, why, True)


def _indexed(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield one entry of an axis that is one too many."""
    if len(shape) != len(wants) + 1:
        return
    for axis, size in enumerate(shape):
        left = shape[:axis] + shape[axis + 1 :]
        if size < 2 or not matches(left, wants):
            continue
        cost = ranking.COSTS["index"] + ranking.LOSES_PART * (size - 1) / size
        cost += 0 if axis == len(shape) - 2 else ranking.NOT_LAST_TOKEN
        for index, which in ((-1, "last"), (0, "first")):
            text = f"{{x}}[{':, ' * axis}{index}]"
            why = f"keeps the {which} of {size} entries along axis {axis}"
            yield (Step("index", text, left, cost + 0.1 * (index == 0), why, True),)


def _reinterpreted(shape: Shape, wants: Wants) -> Iterator[Steps]:
    """Yield the reshape that fits by its number of elements alone."""
    total = math.prod(shape)
    if matches(shape, wants) or not 0 < total < _MOST_ELEMENTS:
        return
    after = _split(total, wants)
    if after is None or after == shape or any(it[0] == after for it in _groupings(shape, wants)):
        return
    text = f"{{x}}.reshape({', '.join(map(str, after))})"
    why = "reads the elements in the order of memory, which mixes axes: entries change their place"
    yield (Step("reinterpret", text, after, ranking.COSTS["reinterpret"], why, True),)
