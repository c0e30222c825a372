"""What has to hold between shapes: axes that share names, written as jaxtyping writes them.

`n k` names two axes, `3` is a size, `_` any size, `...` any axes, `*batch` the same axes in every
shape, `*#batch` axes that broadcast against those of the other shapes, `heads*` a multiple of
`heads`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Shape: TypeAlias = tuple[int, ...]

_TOKEN = re.compile(r"\.\.\.|\*#?[a-z][a-z0-9_]*|[a-z][a-z0-9_]*\*?|\d{1,6}|_")


def is_sound(axes: str) -> bool:
    """Return whether `axes` is written as it has to be: at most one variadic name among them."""
    tokens = axes.split()
    variadic = [token for token in tokens if token[0] in "*."]
    return all(map(_TOKEN.fullmatch, tokens)) and len(variadic) <= 1


def holds(axes: Mapping[str, str], shapes: Mapping[str, Shape]) -> bool:
    """Return whether shapes fit the axes that are wanted of them, all together.

    Args:
        axes: For each array, its axes.
        shapes: For each array, its shape.
    """
    sizes: dict[str, int] = {}
    groups: dict[str, list[Shape]] = {}
    multiples: list[tuple[str, int]] = []
    for name, text in axes.items():
        bound = _bound(text.split(), tuple(shapes[name]))
        if bound is None:
            return False
        single, group = bound
        multiples += [(axis[:-1], size) for axis, size in single if axis.endswith("*")]
        single = [pair for pair in single if not pair[0].endswith("*")]
        if any(sizes.setdefault(axis, size) != size for axis, size in single):
            return False
        for axis, part in group:
            groups.setdefault(axis, []).append(part)
    if any(not sizes.get(axis) or size % sizes[axis] for axis, size in multiples):
        return False
    return all(
        broadcast(parts) is not None if axis.startswith("*#") else len(set(parts)) == 1
        for axis, parts in groups.items()
    )


def _bound(
    tokens: Sequence[str], shape: Shape
) -> tuple[list[tuple[str, int]], list[tuple[str, Shape]]] | None:
    """Return what a shape says each name is: of single axes, and of several."""
    at = next((i for i, token in enumerate(tokens) if token[0] in "*."), None)
    after = 0 if at is None else len(tokens) - at - 1
    spare = len(shape) - len(tokens) + (at is not None)
    if spare < 0 or (at is None and spare):
        return None
    head = list(zip(tokens[:at], shape, strict=False))
    tail = list(zip(tokens[len(tokens) - after :], shape[len(shape) - after :], strict=True))
    single = head + (tail if after else [])
    if any(token.isdigit() and int(token) != size for token, size in single):
        return None
    named = [(token, size) for token, size in single if token != "_" and not token.isdigit()]
    if at is None or tokens[at] == "...":
        return named, []
    return named, [(tokens[at], shape[at : at + spare])]


def broadcast(shapes: Sequence[Shape]) -> Shape | None:
    """Return the shape that all of `shapes` broadcast to, or `None`."""
    rank = max(map(len, shapes))
    found = []
    for at in range(-rank, 0):
        sizes = {shape[at] for shape in shapes if len(shape) >= -at} - {1}
        if len(sizes) > 1:
            return None
        found.append(sizes.pop() if sizes else 1)
    return tuple(found)


def agreeing(shapes: Sequence[Shape]) -> bool:
    """Return whether two of `shapes` have a size other than 1 in common, counted from the right."""
    rank = max(map(len, shapes))
    columns = ([shape[at] for shape in shapes if len(shape) >= -at] for at in range(-rank, 0))
    return any(
        len(column) > len({*column}) for column in ([s for s in it if s != 1] for it in columns)
    )
