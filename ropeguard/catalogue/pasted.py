"""Pasted text made plain: what a terminal, a log or a test runner adds is taken off."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ropeguard.catalogue.templates import unsafe


LINE_LIMIT = 8192
_OVERLAP = 512
_ESCAPES = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    r"|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|[\x1b]\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)?"  # titles, hyperlinks
    r"|\x1b[PX^_][^\x1b\n]{0,4096}(?:\x1b\\)?"
    r"|\x1b[ -/]{0,4}[0-~]?"
)
_LINE_END = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
# What stands before a line of somebody's output: pytest, ExceptionGroup and boxes, ranks, dates.
_PREFIX = re.compile(
    r"E {1,3}"
    r"|\s{0,8}[|│┃>] ?"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?\]?[ :]{0,2}"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?[ :]{0,2}"
    r"|\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]?[ :-]{1,3}"
    r"|\[(?:rank|pid|worker|thread)[ =:]?\d{1,9}\]:? "
    r"|\([\w ]{0,40}pid[ =]\d{1,9}\) "
    r"|- [\w.]{1,60} - "
    r"|[\w.-]{1,40} +\| "
)
_STARTS = ("Traceback (", 'File "', "+-", "During handling of", "The above exception was")
_BLANKS = {0x09: " ", 0xA0: " "}


class Line(NamedTuple):
    """A line, perhaps of several that a program or a terminal had wrapped.

    Attributes:
        text: The line.
        first: The number of its first line in the pasted text.
        last: The number of its last line there.
        width: How wide its last line was, prefixes included.
    """

    text: str
    first: int
    last: int
    width: int


def views(text: str) -> tuple[list[Line], ...]:
    """Return the lines of `text` as they stand, then unwrapped in each way that changes them.

    Who wraps at blanks starts a line where the next word would not have fitted; a terminal breaks
    where the line is full. The width is that of the longest line, or 80 where some are longer.
    """
    lines = lines_of(text)
    width = max((line.width for line in lines), default=0)
    ways = [(width, " "), (width, "")] + ([(80, " ")] if width > 80 else [])
    joined = (_unwrapped(lines, *way) for way in ways)
    return lines, *(view for view in joined if len(view) < len(lines))


def lines_of(text: str) -> list[Line]:
    """Return the lines of `text` without escapes, control characters and prefixes."""
    found: list[Line] = []
    remove = unsafe().sub
    for number, line in enumerate(_LINE_END.split(_ESCAPES.sub("", text))):
        plain = remove("", line.translate(_BLANKS)).rstrip()
        found += [Line(it, number, number, len(plain)) for it in _pieces(_unprefixed(plain))]
    return found


def _unprefixed(line: str) -> str:
    at = 0
    for _ in range(4):
        prefix = _PREFIX.match(line, at)
        if prefix is None:
            break
        at = prefix.end()
    return line[at:].rstrip(" │┃")


def _pieces(line: str) -> Iterable[str]:
    if len(line) <= LINE_LIMIT:
        return (line,)
    step = LINE_LIMIT - _OVERLAP
    return (line[at : at + LINE_LIMIT] for at in range(0, len(line), step))


def _unwrapped(lines: list[Line], width: int, glue: str) -> list[Line]:
    found: list[Line] = []
    for line in lines:
        last = found[-1] if found else None
        if last is not None and _continues(last, line, width, glue):
            text = last.text + glue + line.text.lstrip()
            found[-1] = Line(text, last.first, line.last, line.width)
        else:
            found.append(line)
    return found


def _continues(last: Line, line: Line, width: int, glue: str) -> bool:
    if not last.text or len(last.text) > LINE_LIMIT:
        return False
    if not line.text or line.text.lstrip().startswith(_STARTS):
        return False
    if not glue:
        return last.width >= width
    word = line.text.lstrip().partition(" ")[0]
    return last.width + 1 + len(word) > width
