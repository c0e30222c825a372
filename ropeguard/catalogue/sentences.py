"""Sentences of a record with its values in them, and what follows from the values.

A place holds a field, an entry of one, or one of a few functions of fields, and nothing else:
`{shape}`, `{shape[-1]}`, `{shape[axis]}`, `{len(shape)}`, `{product(shape)}`, `{clashes(a, b)}`,
`{differences(a, b)}`, `{apart(shapes, axis)}`. Nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ropeguard.catalogue.templates import show


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Shape: TypeAlias = Sequence[int]
    Values: TypeAlias = Mapping[str, Any]

_PLACE = re.compile(r"\{([^{}]*)\}")
_NAME = r"[a-z][a-z0-9_]*"
_ENTRY = re.compile(rf"({_NAME})(?:\[(-?\d{{1,2}}|{_NAME})\])?")
_CALL = re.compile(rf"({_NAME})\(({_NAME}(?:, {_NAME})*)\)")


def filled(sentences: Sequence[str], values: Values, types: Mapping[str, str]) -> str | None:
    """Return the first of the sentences that the values can fill.

    Args:
        sentences: The record's `readings`.
        values: What a text says of the record's fields.
        types: The type of each field.
    """
    for sentence in sentences:
        pieces = _PLACE.split(sentence)
        texts = [_text(place, values, types) for place in pieces[1::2]]
        if None not in texts:
            pieces[1::2] = [str(text) for text in texts]
            return "".join(pieces)
    return None


def faults(sentence: str, types: Mapping[str, str]) -> Iterator[str]:
    """Yield the places of a sentence that no values could fill."""
    for place in _PLACE.split(sentence)[1::2]:
        names = _names(place, types)
        if names is None or not all(name in types for name in names):
            yield place


def _names(place: str, types: Mapping[str, str]) -> list[str] | None:
    """Return the fields that a place is made of, or `None` if it is none."""
    if call := _CALL.fullmatch(place):
        names = call[2].split(", ")
        known = _FUNCTIONS.get(call[1])
        return names if known and [types.get(it) for it in names] == list(known[0]) else None
    if not (entry := _ENTRY.fullmatch(place)):
        return None
    if entry[2] is None:
        return [entry[1]]
    if types.get(entry[1]) != "Shape":
        return None
    return [entry[1], entry[2]] if entry[2][0].isalpha() else [entry[1]]


def _text(place: str, values: Values, types: Mapping[str, str]) -> str | None:
    try:
        if call := _CALL.fullmatch(place):
            return _FUNCTIONS[call[1]][1](*(values[name] for name in call[2].split(", ")))
        name, index = _ENTRY.fullmatch(place).groups()  # type: ignore[union-attr]
        if index is None:
            return show(types.get(name, "Text"), values[name])
        at = values[index] if index[0].isalpha() else int(index)
        return str(values[name][at])
    except (AttributeError, IndexError, KeyError, TypeError):
        return None


def product(shape: Shape) -> int:
    """Return how many elements an array of that shape has."""
    size = 1
    for axis in shape:
        size *= axis
    return size


def _listed(texts: Sequence[str]) -> str | None:
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]])) or None


def _clashes(first: Shape, second: Shape) -> str | None:
    """Name the axes, from the right, on which two shapes do not broadcast."""
    pairs = enumerate(zip(reversed(first), reversed(second), strict=False), start=1)
    return _listed(
        [f"axis {-at} ({a} against {b})" for at, (a, b) in pairs if a != b and 1 not in (a, b)]
    )


def _differences(first: Shape, second: Shape) -> str | None:
    """Name the axes on which two shapes differ, or their numbers of axes."""
    if len(first) != len(second):
        return f"the number of axes ({len(first)} against {len(second)})"
    pairs = enumerate(zip(first, second, strict=True))
    return _listed([f"axis {at} ({a} against {b})" for at, (a, b) in pairs if a != b])


def _apart(shapes: Sequence[Shape], axis: int) -> str | None:
    """Name the axes other than `axis` on which shapes differ."""
    if not shapes or len({len(shape) for shape in shapes}) > 1:
        return None
    rank = len(shapes[0])
    others = [at for at in range(rank) if at != axis % max(rank, 1)]
    sizes = {at: list(dict.fromkeys(shape[at] for shape in shapes)) for at in others}
    return _listed(
        [f"axis {at} ({', '.join(map(str, it))})" for at, it in sizes.items() if len(it) > 1]
    )


_FUNCTIONS: Mapping[str, tuple[Sequence[str], Callable[..., str | None]]] = {
    "len": (["Shape"], lambda shape: str(len(shape))),
    "product": (["Shape"], lambda shape: str(product(shape))),
    "clashes": (["Shape", "Shape"], _clashes),
    "differences": (["Shape", "Shape"], _differences),
    "apart": (["Shapes", "Axis"], _apart),
}
