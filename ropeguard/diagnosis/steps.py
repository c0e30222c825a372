"""One change of an array's shape, and how it is written."""

from collections.abc import Sequence

import attrs

from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.wants import Wants


Shape = tuple[int, ...]
MOST_ELEMENTS = 2**63


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
            cost += ranking.BATCH_MOVED if "batch" in roles and "tokens" not in roles else 0
        text = f"{{x}}.swapaxes({i}, {j})"
        if j == len(order) - 1:
            text = f"{{x}}.swapaxes({i - len(order)}, -1)"
        return Step("swapaxes", text, after, cost, order=tuple(order))
    text = f"{{x}}.transpose({', '.join(map(str, order))})"
    cost = ranking.COSTS["transpose"] + (ranking.ONE_AXIS_MOVED if _moves_one(order) else 0)
    if len(names) == len(order) and any(ranking.role_of(names[i]) == "batch" for i in moved):
        cost += ranking.BATCH_MOVED
    return Step("transpose", text, after, cost, order=tuple(order))


def _moves_one(order: Sequence[int]) -> bool:
    """Say whether an order is the old one but for a single axis."""
    return any(
        [it for it in order if it != axis] == [it for it in range(len(order)) if it != axis]
        for axis in order
    )


def names_of(wants: Wants) -> list[str]:
    """Return the axes as the annotation writes them."""
    return [want.name for want in wants]
