"""One change of a call: of an array, of a number, or of two arguments that change places."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ropeguard.contracts.backend import mx
from ropeguard.contracts.nodes import Array
from ropeguard.contracts.recheck import StandIn, is_stand_in
from ropeguard.diagnosis import ranking
from ropeguard.diagnosis.converting import Conversion, conversions, plain_conversions
from ropeguard.diagnosis.places import Place, assignment, value_at
from ropeguard.diagnosis.reshaping import ways
from ropeguard.diagnosis.steps import Step, Steps, matches, transposition
from ropeguard.diagnosis.wants import Look, Sizes, Wants, wants_of


# Moves that are the same for two arrays only if they are written the same.
_AS_WRITTEN = frozenset({"squeeze", "expand", "swapaxes", "transpose", "index", "slice", "cast"})


@attrs.frozen
class Edit:
    """A change.

    Attributes:
        changes: Each place that changes, with its value afterwards.
        texts: How each value is written, `{x}` being what it was.
        moves: What is done, in order; keys of `ranking.COSTS`.
        cost: How far-fetched it is.
        why: What it does, in words.
        guess: Whether only the caller can know that it is meant.
        order: The axes' order of the one transposition in it, if there is one.
    """

    changes: tuple[tuple[Place, Any], ...]
    texts: tuple[str, ...]
    moves: tuple[str, ...]
    cost: float
    why: str = ""
    guess: bool = False
    order: tuple[int, ...] = ()

    @property
    def place(self) -> Place:
        """The first place that changes."""
        return self.changes[0][0]

    @property
    def key(self) -> str:
        """What tells this change from others."""
        return ";".join(
            f"{place.name}={text}"
            for (place, _), text in zip(self.changes, self.texts, strict=True)
        )

    def is_like(self, other: "Edit") -> bool:
        """Say whether another place's change is the same change."""
        if self.moves != other.moves:
            return False
        return self.texts == other.texts or not _AS_WRITTEN.intersection(self.moves)

    def statement(self, arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return target and value of each assignment that makes the change."""
        pairs = []
        for (place, _), text in zip(self.changes, self.texts, strict=True):
            expression = text.replace("{x}", _source(place))
            pairs.append(assignment(arguments, place, expression))
        return pairs


def _source(place: Place) -> str:
    return place.root + "".join(f"[{key!r}]" for key in place.keys)


def edits_of(look: Look, looks: Sequence[Look], known: Sizes) -> list[Edit]:
    """Return changes that make one place fit, the least far-fetched first."""
    place = look.place
    others = [it.place.value for it in looks if it.place.name != place.name]
    found: list[Edit] = []
    if not look.fits and not is_stand_in(place.value):
        found += [_converted(place, it, ()) for it in plain_conversions(place)]
    for node in place.arrays:
        for conversion in conversions(place, node, others):
            found += _shaped(place, node, conversion, known)
        found += _allocated(place, node, others, known)
    distinct = {edit.key: edit for edit in sorted(found, key=lambda it: -it.cost)}
    return sorted(distinct.values(), key=lambda it: it.cost)


def _shaped(place: Place, node: Array, conversion: Conversion, known: Sizes) -> Iterator[Edit]:
    value = conversion.value
    shape = tuple(value.shape)
    for wants in wants_of(node, len(shape), known):
        if conversion.move and matches(shape, wants):
            yield _converted(place, conversion, ())
        for steps in itertools.islice(ways(shape, wants), 24):
            if value.kind is mx.array or not any("mx." in step.text for step in steps):
                yield _converted(place, conversion, steps, wants)


def _converted(place: Place, conversion: Conversion, steps: Steps, wants: Wants = ()) -> Edit:
    text, value, cost = conversion.text, conversion.value, conversion.cost
    if steps and " == " in text:
        text = f"({text})"
    for number, step in enumerate(steps):
        text = step.text.replace("{x}", text)
        cost += step.cost + (ranking.COMPOSED if number or conversion.move else 0)
        value = StandIn(value.kind, step.shape, value.dtype)
    moves = (conversion.move, *(step.move for step in steps))
    if "logits" in place.root and steps and steps[0].text.endswith("[:, -1]"):
        cost += ranking.LOGITS_ENTRY
    whys = [conversion.why, *(step.why or _layout(place, step, wants) for step in steps)]
    return Edit(
        ((place, value),),
        (text,),
        tuple(move for move in moves if move),
        cost,
        "; ".join(dict.fromkeys(why for why in whys if why)),
        conversion.guess or any(step.guess for step in steps),
        next((step.order for step in steps if step.order), ()),
    )


def _layout(place: Place, step: Step, wants: Wants) -> str:
    """Say what the layout of an array looks like, from the transposition that puts it right."""
    if not step.order or len(step.order) != len(wants):
        return ""
    names = [wants[step.order.index(i)].name.strip("#*{}") for i in range(len(wants))]
    return layout_text(names)


def layout_text(names: Sequence[str]) -> str:
    """Say what a layout looks like, with what it is known as."""
    known = ranking.LAYOUTS.get(tuple(ranking.role_of(name) for name in names))
    return f"it looks like [{', '.join(names)}]" + (f", {known}" if known else "")


def _allocated(place: Place, node: Array, others: Sequence[Any], known: Sizes) -> Iterator[Edit]:
    """Yield a fresh allocation of an argument that is a buffer by its name."""
    value = place.value
    if place.keys or not set(place.root.lower().split("_")) & set(ranking.ALLOCATED):
        return
    if not (value is None or is_stand_in(value)):
        return
    shape = tuple(value.shape) if is_stand_in(value) else ()
    wants = wants_of(node, len(shape), known)[0]
    sizes = [
        want.size if want.size is not None else shape[i] if i < len(shape) == len(wants) else None
        for i, want in enumerate(wants)
    ]
    if None in sizes or not sizes:
        return
    template = StandIn(mx.array, tuple(size for size in sizes if size is not None), mx.float32)
    for made in itertools.islice(_with_dtypes(place, node, template, others), 2):
        name = str(made.dtype).removeprefix("mlx.core.")
        dtype = "bool_" if name == "bool" else name
        text = f"mx.zeros({made.shape}, mx.{dtype})"
        why = "a buffer, allocated anew with the size and the dtype that the others give it"
        yield Edit(((place, made),), (text,), ("allocate",), ranking.COSTS["allocate"], why, True)


def _with_dtypes(
    place: Place, node: Array, template: StandIn, others: Sequence[Any]
) -> Iterator[StandIn]:
    twin = attrs.evolve(place, value=template)
    own = getattr(place.value, "dtype", None)
    if own is not None and isinstance(StandIn(mx.array, (), own), node.any_shape):
        yield StandIn(mx.array, template.shape, own)
    for conversion in conversions(twin, node, others):
        yield conversion.value


def turning(place: Place, i: int, j: int) -> Edit:
    """Return the transposition of two axes of one place."""
    value = place.value
    order = list(range(len(value.shape)))
    order[i], order[j] = j, i
    names = [dim.text for dim in place.arrays[0].axes]
    step = transposition(tuple(value.shape), order, names)
    made = StandIn(value.kind, step.shape, value.dtype)
    why = ""
    if len(names) == len(order):
        why = layout_text([names[axis].strip("#*{}") for axis in order])
    return Edit(((place, made),), (step.text,), (step.move,), step.cost, why, False, step.order)


def swapped(left: Place, right: Place) -> Edit:
    """Return the change in which two arguments change places."""
    changes = ((left, right.value), (right, left.value))
    why = f"`{left.name}` fits where `{right.name}` goes, and the other way round"
    return Edit(changes, (right.root, left.root), ("swap",), ranking.COSTS["swap"], why)


def other(place: Place, source: Place) -> Edit:
    """Return the change in which an argument is passed in place of another."""
    why = f"`{source.name}` is what fits there"
    cost = ranking.COSTS["other"]
    return Edit(((place, source.value),), (source.root,), ("other",), cost, why, True)


def integer(place: Place, value: int, why: str) -> Edit:
    """Return the change of a number."""
    return Edit(((place, value),), (str(value),), ("integer",), ranking.COSTS["integer"], why)


def after(arguments: Mapping[str, Any], edits: Sequence[Edit], place: Place) -> Any:
    """Return a place's value once changes are made."""
    for edit in edits:
        for changed, value in edit.changes:
            if changed.name == place.name:
                return value
    return value_at(arguments, place)
