"""Whether a text is an error of MLX or mlx-lm, by what it says itself, and of which operation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ropeguard.catalogue.pasted import views


# What stands before a message: the name of an exception, as Python, C++ or mlx-c writes it.
_HEAD = re.compile(
    r"(?:Error|Exception|Fatal error|MLX error|what\(\)|exception of type [\w:]{1,60}): *"
)
_TAG = re.compile(r"\[([A-Za-z_][\w:]{1,40})\]")
_TEMPLATE_TAG = re.compile(r"\[([A-Za-z_][\w:]{1,40})(?:\{\w+\})?\]")
_CALL = re.compile(r"([a-z_]\w{1,40})\(\): incompatible function")
_NAMED = re.compile(r"(?<![\w.])(?:mx|mlx\.core|mlx\.nn)\.((?:[A-Za-z_]\w{0,40}\.){0,3}\w{1,40})")
_FRAME = re.compile(
    r'File "[^"\n]{0,400}[/\\](?:(?:site|dist)-packages[/\\]mlx|mlx_lm)[/\\][^"\n]{1,400}"'
)
_WORD = re.compile(r"[a-z]{3,}")
_LEAST_WORDS, _MOST_WORDS = 3, 60
_SHAPE = re.compile(r"[(\[]\d+(?:, ?\d+)*,?[)\]]")
# A text without any of these is not looked at further.
_LIKELY = re.compile(r"mlx|\bmx\.|(?:^|: |\) {1,4}|:  )\[[A-Za-z_]", re.MULTILINE)
# Tags that other programs begin a message with too: some words have to agree.
_COMMON = frozenset(
    ("load", "save", "read", "take", "split", "stack", "convert", "normal", "uniform", "event")
)
# How much of a message's words the record has to share.
_OF_TAG, _OF_COMMON, _OF_FRAME = 0.0, 0.4, 0.6


class Evidence:
    """What a text says of whose error it is.

    Attributes:
        words: The words of the message.
        ops: Names of operations.
        tag: The operation in brackets with which the message begins.
        share: How much of the words a record has to share.
    """

    def __init__(self, message: str, ops: Collection[str], tag: str, share: float) -> None:
        self.words = words_of(message)[:_MOST_WORDS]
        self.ops = frozenset(ops)
        self.tag = tag
        self.share = share
        self.has_shape = _SHAPE.search(message) is not None


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return _WORD.findall(text.lower())


def op_of(tag: str) -> str:
    """Return the operation of a tag: that of `linalg::svd` is `linalg`."""
    return tag.lower().partition("::")[0]


def tags_of(template: str) -> set[str]:
    """Return the tags in a template, in lower case; of `[linalg::{op}]` it is `linalg::`."""
    return {tag.lower() for tag in _TEMPLATE_TAG.findall(template)}


def may_be(text: str) -> bool:
    """Return whether a text could have evidence, at no cost."""
    return _LIKELY.search(text) is not None


def evidence_of(text: str, tags: Collection[str], ops: Collection[str]) -> Evidence | None:
    """Return what the last message of `text` that is MLX's says, or `None` if none is.

    Args:
        text: The pasted text.
        tags: The tags of known messages, in lower case.
        ops: The names of operations.
    """
    found = None
    frame: str | None = None
    lines = [line.text for line in views(text)[0]]
    for at, line in enumerate(lines):
        if line.lstrip().startswith(("Traceback (", 'File "')):
            frame = "".join(lines[at + 1 : at + 2]) if _FRAME.search(line) else None
            continue
        for message in _messages(line, alone=len(lines) == 1):
            found = _of_message(message, frame, tags, ops) or found
    return found


def _messages(line: str, alone: bool) -> Iterator[str]:
    if alone:
        yield line
    for head in _HEAD.finditer(line):
        yield line[head.end() :]


def _of_message(
    message: str, frame: str | None, tags: Collection[str], ops: Collection[str]
) -> Evidence | None:
    tag = _TAG.match(message)
    name = tag[1].lower() if tag else ""
    op = op_of(name)
    is_known = name in tags or f"{op}::" in tags
    if is_known or op in ops:
        share = _OF_TAG if is_known and name not in _COMMON else _OF_COMMON
        return Evidence(message, {op}, name, share)
    called = set(_names(message)) & set(ops)
    if called:
        return Evidence(message, called, "", _OF_TAG)
    if frame is not None and len(words_of(message)) >= _LEAST_WORDS:
        return Evidence(message, set(_names(frame)) & set(ops), "", _OF_FRAME)
    return None


def _names(text: str) -> Iterator[str]:
    for found in _NAMED.finditer(text):
        yield found[1].rpartition(".")[2]
    call = _CALL.match(text)
    if call and "mlx" in text:
        yield call[1]
