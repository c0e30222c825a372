"""Changes of shapes after which what a record wants of them holds: few, likely, and tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ropeguard.catalogue import relations
from ropeguard.catalogue.sentences import product
from ropeguard.catalogue.shape_changes import MOST_AXES, changes


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Shape: TypeAlias = tuple[int, ...]
    Values: TypeAlias = Mapping[str, Any]
    Repair: TypeAlias = Mapping[str, Any]

MOST = 3
_MARGIN = 0.35
_SWAPPED = 2.5
_GROWN = 0.5


class Fit:
    """A change that was tried on the shapes.

    Attributes:
        code: What to write.
        why: What it does to the shape.
        cost: How far-fetched it is.
    """

    def __init__(self, code: str, why: str, cost: float) -> None:
        self.code = code
        self.why = why
        self.cost = cost


def fits(repair: Repair, values: Values, names: Mapping[str, str] | None = None) -> list[Fit]:
    """Return changes after which the shapes of a message fit, the least far-fetched first.

    Args:
        repair: The record's `repair`.
        values: What a text says of the record's fields.
        names: What arrays are called, by field; else they have the names that the record gives.
    """
    try:
        found = list(_KINDS[repair["kind"]](repair, values, names or {}))
    except KeyError:
        return []
    distinct: dict[str, Fit] = {}
    for fit in sorted(found, key=lambda fit: fit.cost):
        distinct.setdefault(fit.code, fit)
    kept = list(distinct.values())
    return [fit for fit in kept if fit.cost <= kept[0].cost + _MARGIN][:MOST]


def _by_axes(repair: Repair, values: Values, names: Mapping[str, str]) -> Iterator[Fit]:
    """Yield changes of one array, or of their order, after which the axes agree."""
    operands = repair["operands"]
    shapes = {field: tuple(values[field]) for field in operands}
    if max(map(len, shapes.values())) > MOST_AXES:
        return
    axes = {field: operand["axes"] for field, operand in operands.items()}
    if relations.holds(axes, shapes):
        return
    called = {field: names.get(field, operand["name"]) for field, operand in operands.items()}
    sizes = {size for shape in shapes.values() for size in shape}
    for field, shape in shapes.items():
        if operands[field]["fixed"] or _is_doubtful(operands[field], shape):
            continue
        for text, after, cost in changes(shape, sizes, operands[field]["only"]):
            changed = shapes | {field: after}
            if relations.holds(axes, changed) and _is_meant(axes, changed):
                code = text.replace("{x}", called[field])
                why = f"`{called[field]}` becomes {_shown(after)}"
                yield Fit(
                    _call(repair, called | {field: code}, code), why, cost + _grown(axes, changed)
                )
    yield from _exchanged(repair, shapes, axes, called)


def _exchanged(
    repair: Repair, shapes: Mapping[str, Shape], axes: Mapping[str, str], called: Mapping[str, str]
) -> Iterator[Fit]:
    if len(shapes) != 2 or not repair["call"]:
        return
    operands = repair["operands"]
    first, second = shapes
    if any(operands[it]["fixed"] or _is_doubtful(operands[it], shapes[it]) for it in shapes):
        return
    changed = {first: shapes[second], second: shapes[first]}
    if relations.holds(axes, changed):
        code = _call(repair, {first: called[second], second: called[first]}, "")
        yield Fit(code, "the two change places", _SWAPPED)


def _is_doubtful(operand: Mapping[str, Any], shape: Shape) -> bool:
    """Return whether the shape in the message may not be the array's own."""
    doubtful = operand["doubtful"]
    return doubtful is not None and relations.holds({"x": doubtful}, {"x": shape})


def _whole(axes: Mapping[str, str], shapes: Mapping[str, Shape]) -> list[Shape]:
    """Return the shapes of the arrays that broadcast as wholes."""
    return [shapes[field] for field, text in axes.items() if text[:2] == "*#" and " " not in text]


def _is_meant(axes: Mapping[str, str], shapes: Mapping[str, Shape]) -> bool:
    """Return whether arrays that broadcast have more in common than that nothing forbids it."""
    whole = _whole(axes, shapes)
    return len(whole) < 2 or relations.agreeing(whole)


def _grown(axes: Mapping[str, str], shapes: Mapping[str, Shape]) -> float:
    """Return what it costs that arrays broadcast to a shape that none of them has."""
    whole = _whole(axes, shapes)
    return _GROWN if whole and relations.broadcast(whole) not in whole else 0.0


def _call(repair: Repair, texts: Mapping[str, str], otherwise: str) -> str:
    call: str | None = repair["call"]
    if call is None:
        return otherwise
    for field, text in texts.items():
        call = call.replace(f"{{{field}}}", text)
    return call


def _shown(shape: Shape) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def _by_product(repair: Repair, values: Values, names: Mapping[str, str]) -> Iterator[Fit]:
    """Yield shapes for a number of elements that differ from the one asked for on one axis."""
    size, shape = values["size"], tuple(values["shape"])
    for at, old in enumerate(shape):
        rest = product(shape[:at] + shape[at + 1 :])
        if rest <= 0 or size % rest or size // rest in (0, old):
            continue
        new = size // rest
        after = (*shape[:at], new, *shape[at + 1 :])
        texts = {"shape": ", ".join(map(str, after)), "x": names.get("size", "x")}
        cost = 1.0 + (new == 1) + 0.5 * bool(new % max(old, 1) and old % new)
        why = f"axis {at} is {new} in place of {old}"
        yield Fit(_call(repair, texts, ""), why, cost)


def _by_join(repair: Repair, values: Values, names: Mapping[str, str]) -> Iterator[Fit]:
    """Yield other axes to join arrays along, and changes of one array."""
    shapes, axis = [tuple(shape) for shape in values["shapes"]], int(values["axis"])
    called = names.get("shapes", "arrays")
    rank = max(map(len, shapes))
    if rank > MOST_AXES or len(shapes) > MOST_AXES or not rank:
        return
    for other in range(rank):
        if other != axis % rank and _joins(shapes, other):
            texts = {"axis": str(other), "shapes": called}
            yield Fit(_call(repair, texts, ""), f"all other axes than {other} are equal", 1.0)
    for number, shape in enumerate(shapes):
        for text, after, cost in changes(shape, set()):
            changed = [*shapes[:number], after, *shapes[number + 1 :]]
            if _joins(changed, axis) and len(shapes) > 1:
                code = text.replace("{x}", f"{called}[{number}]")
                yield Fit(code, f"`{called}[{number}]` becomes {_shown(after)}", cost + 0.2)


def _joins(shapes: Sequence[Shape], axis: int) -> bool:
    rank = len(shapes[0])
    if not -rank <= axis < rank or any(len(shape) != rank for shape in shapes):
        return False
    at = axis % rank
    return len({(*shape[:at], *shape[at + 1 :]) for shape in shapes}) == 1


_KINDS: Mapping[str, Callable[[Repair, Values, Mapping[str, str]], Iterator[Fit]]] = {
    "axes": _by_axes,
    "product": _by_product,
    "join": _by_join,
}
KINDS = tuple(_KINDS)
# The fields that a kind reads by these names, with their types.
FIELDS: Mapping[str, Mapping[str, str]] = {
    "axes": {},
    "product": {"size": "Int", "shape": "Shape"},
    "join": {"shapes": "Shapes", "axis": "Axis"},
}
