"""Pasted text made plain: what a terminal, a log or a test runner adds is taken off."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from ropeguard.catalogue.templates import unsafe


LINE_LIMIT = 8192
CODE = re.compile(r"\[(RG\d{4})\]")
NARROWEST = 40
TERMINALS = (80, 100, 120, 132, 160)
_OVERLAP = 512
_BORDER = " │┃╮╯┐┘─━"
_ESCAPES = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    r"|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|[\x1b]\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)?"  # titles, hyperlinks
    r"|\x1b[PX^_][^\x1b\n]{0,4096}(?:\x1b\\)?"
    r"|\x1b[ -/]{0,4}[0-~]?"
)
_LINE_END = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
# What stands before a line of somebody's output: pytest, dates, levels, ranks, containers.
_PREFIX = re.compile(
    r"E {1,3}"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?\]?[ :]{0,2}"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?[ :]{0,2}"
    r"|\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]?[ :-]{1,3}"
    r"|\[(?:rank|pid|worker|thread)[ =:]?\d{1,9}\]:? "
    r"|\([\w ]{0,40}pid[ =]\d{1,9}\) "
    r"|- [\w.]{1,60} - "
)
# Each alternative of it begins with one of these.
_PREFIXED = frozenset("E[(-DIWCF0123456789")
_BAR = re.compile(r"(?:[\w.-]{1,40} {1,20}|\s{0,8})[|│┃>] ?")
_FRAME = 'File "'
# Lines that continue no other.
_STARTS = ("Traceback (", _FRAME, "^", "~", "+-", "During handling of", "The above exception was")
_BLANKS = {0x09: " ", 0xA0: " "}


class Line(NamedTuple):
    """A line, perhaps of several that a program or a terminal had wrapped.

    Attributes:
        text: The line.
        first: The number of its first line in the pasted text.
        last: The number of its last line there.
        width: How wide its last line was, with what stood before it and without a border after it.
        cut: Whether a terminal seems to have broken it, so that the next line is a part of it.
    """

    text: str
    first: int
    last: int
    width: int
    cut: bool = False


def views(text: str) -> tuple[list[Line], ...]:
    """Return the lines of `text` as they stand, then those that unwrapping makes, in each way.

    Who wraps at blanks starts a line where the next word would not have fitted; a terminal breaks
    where the line is full. The width is that of the longest line, or 80 where some are longer. Of
    two readings that fit, the first counts: a longest line that stands alone and is not as wide as
    terminals are was wrapped at a blank.
    """
    lines = lines_of(text)
    widths = [line.width for line in lines]
    width = max(widths, default=0)
    if width < NARROWEST:
        return (lines,)
    words = [_first_word(line.text) for line in lines]
    ways = [(width, " "), (width, "")] + ([(80, " ")] if width > 80 else [])
    if width in TERMINALS or widths.count(width) > 1:
        ways[:2] = ways[1::-1]
        for at in _joints(lines, words, width, ""):
            lines[at] = lines[at]._replace(cut=lines[at].width >= width)
    return lines, *(_unwrapped(lines, _joints(lines, words, *way), *way) for way in ways)


def _first_word(text: str) -> int:
    """Return the length of a line's first word, and 0 for a line that continues no other."""
    text = text.lstrip()
    return 0 if text.startswith(_STARTS) else len(text.partition(" ")[0])


def _joints(lines: list[Line], words: list[int], width: int, glue: str) -> list[int]:
    """Return the numbers of the lines that go on in the next one."""
    pairs = enumerate(zip(lines, words[1:], strict=False))
    # A blank that stood at the end of a full line is gone.
    least = [width - word for word in words[1:]] if glue else [width - 1] * len(words)
    return [
        at
        for at, (line, word) in pairs
        if word and line.width >= least[at] and line.text and not line.text.startswith(_FRAME, 2)
    ]


def lines_of(text: str) -> list[Line]:
    """Return the lines of `text` without escapes, control characters and prefixes."""
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    lines = _LINE_END.split(text.translate(_BLANKS))
    remove = unsafe().sub
    plain = [(it if it.isprintable() else remove("", it)).rstrip(_BORDER) for it in lines]
    bars = [False, *(_BAR.match(line) is not None for line in plain), False]
    if True not in bars:
        bars = []
    found: list[Line] = []
    for number, line in enumerate(plain):
        if not line and found and not found[-1].text:
            continue
        # A bar that stands alone is a part of the text, as in `Float | None`.
        barred = bool(bars) and bars[number + 1] and (bars[number] or bars[number + 2])
        text = _unprefixed(line, barred) if barred or line[:1] in _PREFIXED else line
        found += [Line(it, number, number, len(line)) for it in _pieces(text)]
    return found


def _unprefixed(line: str, barred: bool) -> str:
    at = 0
    for _ in range(4):
        prefix = _PREFIX.match(line, at) or (_BAR.match(line, at) if barred else None)
        if prefix is None:
            break
        at = prefix.end()
        # What a box holds, or a mail quotes, is text, a bar at the start of a line included.
        barred = barred and prefix[0].strip()[-1:] not in ("│", "┃", ">")
    return line[at:]


def _pieces(line: str) -> Iterable[str]:
    if len(line) <= LINE_LIMIT:
        return (line,)
    step = LINE_LIMIT - _OVERLAP
    return (line[at : at + LINE_LIMIT] for at in range(0, len(line), step))


def _unwrapped(lines: list[Line], joints: list[int], width: int, glue: str) -> list[Line]:
    """Return the errors that take more than one line of the pasted text."""
    found: list[Line] = []
    group: list[Line] = []
    size, end = 0, -1
    for at in joints:
        if at != end or size >= LINE_LIMIT:
            found += _joined(group, width, glue)
            group = [lines[at]]
            size = len(lines[at].text)
        end = at + 1
        group.append(lines[end])
        size += len(lines[end].text)
    return [*found, *_joined(group, width, glue)]


def _joined(group: list[Line], width: int, glue: str) -> Iterator[Line]:
    """Return what the lines hold together, cut after each code, where an error may end."""
    if not group:
        return
    texts = [group[0].text]
    for before, line in pairwise(group):
        full = not glue and before.width >= width
        texts.append(line.text if full else f" {line.text.lstrip()}")
    text = "".join(texts)
    if "[RG" not in text:
        yield Line(text.strip(), group[0].first, group[-1].last, group[-1].width)
        return
    starts = [0, *accumulate(map(len, texts[:-1]))]
    ends = [found.end() for found in CODE.finditer(text)]
    for start, end in pairwise([0, *ends, len(text)]):
        piece = text[start:end].strip()
        first = bisect(starts, text.find(piece, start)) - 1
        last = bisect(starts, end - 1) - 1
        if piece and first != last:
            yield Line(piece, group[first].first, group[last].last, group[last].width)
