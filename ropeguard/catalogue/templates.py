"""Message templates: text with typed `{field}` slots, filled in and read back in linear time."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias


Value: TypeAlias = int | float | str | tuple[int, ...]
# Literals at even places, field names at odd ones: ("got ", "shape", ", want ", "wanted", "").
Parts: TypeAlias = Sequence[str]

TYPES = ("Axis", "Dtype", "Int", "Name", "Number", "Shape", "Text")
TEXT_LIMIT = 200
_FIELD = re.compile(r"[a-z][a-z0-9_]*")
# What a terminal could act on: C0 but for tab, C1, and the marks that reorder or hide text.
UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def parse(template: str) -> tuple[str, ...]:
    """Split `template` into literals and field names; `{{` and `}}` stand for braces."""
    parts = [""]
    rest = template
    while rest:
        literal, brace, rest = _until_brace(rest)
        parts[-1] += literal
        if not brace:
            break
        if rest.startswith(brace):
            parts[-1] += brace
            rest = rest[1:]
            continue
        name, closed, rest = rest.partition("}")
        if brace == "}" or not closed or not _FIELD.fullmatch(name):
            from ropeguard.catalogue.raising import error

            raise error("template-wrong", template=template)
        parts += [name, ""]
    return tuple(parts)


def _until_brace(text: str) -> tuple[str, str, str]:
    places = [at for at in (text.find("{"), text.find("}")) if at >= 0]
    at = min(places, default=len(text))
    return text[:at], text[at : at + 1], text[at + 1 :]


def fill(parts: Parts, fields: Mapping[str, object], types: Mapping[str, str]) -> str:
    """Return the message that `parts` give with `fields`; a missing field stays `{name}`."""
    shown = list(parts)
    for at in range(1, len(shown), 2):
        name = shown[at]
        shown[at] = show(types.get(name, "Text"), fields[name]) if name in fields else f"{{{name}}}"
    return "".join(shown)


def show(kind: str, value: object) -> str:
    """Return `value` as a message of field type `kind` prints it."""
    if isinstance(value, list | tuple):
        inner = ", ".join(str(size) for size in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    text = str(value)
    if kind == "Dtype":
        text = text.removeprefix("mlx.core.")
    return clean(text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 3] + "...")


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
    # A message that begins with a field begins where the line does, or the name of an exception
    # or a logger ends.
    sought, shift = (literal, len(literal)) if literal else (": ", 2)
    starts = [] if literal else [0]
    at = text.find(sought)
    while at >= 0 and len(starts) < TRIES:
        starts.append(at + shift)
        at = text.find(sought, at + 1)
    return starts


def _read_at(parts: Parts, kinds: Sequence[str], text: str, at: int) -> dict[str, Value] | None:
    values: dict[str, Value] = {}
    for kind, name, literal in zip(kinds, parts[1::2], parts[2::2], strict=True):
        end = _text_end(text, at, literal) if kind == "Text" else _value_end(kind, text, at)
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


def _axis(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text


TRIES = 8
_CODE_AT_END = re.compile(r" \[RG\d{4}\]")
_NAME = r"[\w<>*-]++(?:\.[\w<>*-]++|\[\w++\])*+"
_GRAMMAR = {
    "Axis": re.compile(rf"-?\d{{1,20}}+|{_NAME}"),
    "Dtype": re.compile(r"(?:[a-z_]\w*+\.)*+[a-z]\w*+"),
    "Int": re.compile(r"-?\d{1,40}+"),
    "Name": re.compile(_NAME),
    "Number": re.compile(r"-?(?:inf|nan|\d{1,40}+(?:\.\d{1,40}+)?+(?:e[+-]?\d{1,4}+)?+)"),
    "Shape": re.compile(r"[(\[](?:\d{1,20}+(?:, ?\d{1,20}+)*+,?)?+[)\]]"),
}
_CONVERT: Mapping[str, Callable[[str], Value]] = {
    "Axis": _axis,
    "Dtype": lambda text: text.removeprefix("mlx.core."),
    "Int": int,
    "Number": _number,
    "Shape": _shape,
}


def plain(value: object) -> Value:
    """Return `value` as plain data that pickles and holds no array."""
    if isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return show("Dtype", value)
    return value


def clean(text: str) -> str:
    """Return `text` with every character that a terminal could act on written as an escape."""
    return UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number == 0x0A:
        return "\\n"
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
