"""Reading the values of a message back: linear in the text, without backtracking."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.templates import Parts, Value


def read(parts: Parts, kinds: Sequence[str], text: str) -> dict[str, Value] | None:
    """Return the values with which `parts` occurs in the line `text`, or `None`.

    Every literal is found once, left to right, and every field is read by the grammar of its
    type, without a second try: the time is linear in the line.

    Args:
        parts: What `parse` returned.
        kinds: The type of each field, in the order of `parts`.
        text: One line; what stands before and after the message does not matter.
    """
    for start in _starts(parts[0], text):
        values = _read_at(parts, kinds, text, start)
        if values is not None:
            return values
    return None


def _starts(literal: str, text: str) -> list[int]:
    # A message that begins with a field begins after the name of its exception, where the line
    # does, or after a colon that a logger wrote.
    sought, shift = (literal, len(literal)) if literal else (": ", 2)
    starts = [] if literal else [*(found.end() for found in _EXCEPTION.finditer(text)), 0]
    at = text.find(sought)
    while at >= 0 and len(starts) < TRIES:
        starts.append(at + shift)
        at = text.find(sought, at + 1)
    return starts[:TRIES]


def _read_at(parts: Parts, kinds: Sequence[str], text: str, at: int) -> dict[str, Value] | None:
    values: dict[str, Value] = {}
    for kind, name, literal in zip(kinds, parts[1::2], parts[2::2], strict=True):
        end = _text_end(text, at, literal) if kind == "Text" else _value_end(kind, text, at)
        if literal[:1] == "." and kind in _DOTTED and not text.startswith(literal, end):
            # Such a value may have dots itself, and so have read on into the text behind it.
            end = text.rfind(literal, at + 1, end + len(literal))
        if end < 0 or not text.startswith(literal, end):
            return None
        values[name] = _CONVERT.get(kind, str)(text[at:end])
        at = end + len(literal)
    return values


def _text_end(text: str, at: int, literal: str) -> int:
    if literal:
        return text.find(literal, at)
    code = _CODE_AT_END.search(text, at)
    return code.start() if code else len(text.rstrip())


def _value_end(kind: str, text: str, at: int) -> int:
    found = _GRAMMAR[kind].match(text, at)
    return found.end() if found else -1


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _shape(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text[1:-1].split(",") if size.strip())


def _shapes(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(_shape(found[0]) for found in _GRAMMAR["Shape"].finditer(text))


def _axis(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text


TRIES = 8
_DOTTED = ("Axis", "Dtype", "Name")
_EXCEPTION = re.compile(
    r"(?:Error|Exception|Warning|Exit|Interrupt|Group): |^ropeguard: |^\s*what\(\):\s+"
)
# What stands behind a message: our code, or the place in a C++ file that mlx-c names.
_CODE_AT_END = re.compile(r" ?\[RG\d{4}\]| at \S{1,400}\.(?:c|cc|cpp|h|hpp|mm):\d+\s*$")
_NAME = r"[\w<*][\w<>*-]*+(?:\.[\w<*][\w<>*-]*+|\[\w++\])*+"
_SHAPE = r"[(\[](?:-?\d{1,20}+(?:, ?-?\d{1,20}+)*+,?)?+[)\]]"
_GRAMMAR = {
    "Axis": re.compile(rf"-?\d{{1,20}}+|{_NAME}"),
    "Dtype": re.compile(r"(?:[a-z_]\w*+\.(?=[a-z]))*+[a-z]\w*+"),
    "Int": re.compile(r"-?\d{1,40}+"),
    "Name": re.compile(_NAME),
    "Number": re.compile(r"-?(?:inf|nan|\d{1,40}+(?:\.\d{1,40}+)?+(?:e[+-]?\d{1,4}+)?+)"),
    "Shape": re.compile(_SHAPE),
    "Shapes": re.compile(rf"{_SHAPE}(?:, ?{_SHAPE})*+"),
}
_CONVERT: Mapping[str, Callable[[str], Value]] = {
    "Axis": _axis,
    "Dtype": lambda text: text.removeprefix("mlx.core."),
    "Int": int,
    "Number": _number,
    "Shape": _shape,
    "Shapes": _shapes,
}
