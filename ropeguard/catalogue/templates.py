"""Message templates: text with typed `{field}` slots, parsed and filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = int | float | str | tuple[int, ...] | tuple[tuple[int, ...], ...]
    # Literals at even places, field names at odd ones: ("got ", "shape", ", want ", "wanted", "").
    Parts: TypeAlias = Sequence[str]

TYPES = ("Axis", "Dtype", "Int", "Name", "Number", "Shape", "Shapes", "Text")
TEXT_LIMIT = 200
_FIELD = re.compile(r"[a-z][a-z0-9_]*")


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
    if kind == "Shapes" and isinstance(value, list | tuple):
        return ", ".join(show("Shape", shape) for shape in value)
    if isinstance(value, list | tuple):
        inner = ", ".join(str(size) for size in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    text = str(value)
    if kind == "Dtype":
        text = text.removeprefix("mlx.core.")
    return clean(text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 3] + "...")


def plain(value: object) -> Value:
    """Return `value` as plain data that pickles and holds no array."""
    if isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return show("Dtype", value)
    return value


def clean(text: str) -> str:
    """Return `text` with every character that a terminal could act on written as an escape."""
    # `str.isprintable` is false for all of these and for few others, and needs no pattern.
    return text if text.isprintable() else unsafe().sub(_escape, text)


@cache
def unsafe() -> re.Pattern[str]:
    """Return the pattern of what a terminal could act on.

    That is C0 but for tab, C1, and the marks that reorder or hide text.
    """
    return re.compile(
        "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
        "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    )


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number == 0x0A:
        return "\\n"
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
