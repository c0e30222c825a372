"""Which records a pasted text tells of, with the values that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from ropeguard.catalogue.indexing import WORD
from ropeguard.catalogue.pasted import CODE, LINE_LIMIT, Line, views
from ropeguard.catalogue.reading import read


if TYPE_CHECKING:
    from ropeguard.catalogue.templates import Parts, Value

PARTIAL = 8
BLOCK = 64


class Match(NamedTuple):
    """A record that the text tells of.

    Attributes:
        code: The record.
        values: What the text says of its fields.
        first: The first line that tells of it.
        last: The last line that tells of it.
        weight: How many characters of the text the record accounts for.
        explicit: Whether the text names the code.
        cut: Whether its last value may have been cut short.
    """

    code: str
    values: Mapping[str, Value]
    first: int
    last: int
    weight: int
    explicit: bool
    cut: bool = False


class Pattern(NamedTuple):
    """A template of a record."""

    code: str
    parts: Parts
    kinds: Sequence[str]
    context: Sequence[str]

    @property
    def weight(self) -> int:
        """How many literal characters it has."""
        return sum(map(len, self.parts[::2]))


class _Around(NamedTuple):
    """The whole text, and its first and last line with something in it."""

    text: str
    lines: tuple[int, int]

    def suits(self, pattern: Pattern, line: Line) -> bool:
        """Return whether what stands around a message is of the record's package, or nothing."""
        if not pattern.context or (line.first, line.last) == self.lines:
            return True
        return any(word in self.text for word in pattern.context)


class Matcher:
    """The templates of one catalogue, of which a text selects few by its words.

    Args:
        index: What `build.index_of` made.
        known: The codes that the catalogue answers for.
    """

    def __init__(self, index: Mapping[str, Any], known: Iterable[str]) -> None:
        self._patterns: Sequence[Sequence[Any]] = index["patterns"]
        self._keys: Mapping[str, list[int]] = index["keys"]
        self._words = frozenset(key for key in self._keys if " " not in key)
        self._pairs = frozenset(tuple(key.split(" ")) for key in self._keys if " " in key)
        self._marks = self._words.union(first for first, _ in self._pairs)
        self._always: list[int] = self._keys.get("", [])
        self._known = frozenset(known)

    def matches(self, text: str) -> list[Match]:
        """Return each record that `text` tells of once, in the order of the text.

        A chain of exceptions stands in a traceback with its root first, so that the root comes
        first here too. Several matches of the same lines and weight are all returned.
        """
        ways = views(text)
        numbers = [line.first for line in ways[0] if line.text]
        around = _Around(text, (numbers[0], numbers[-1])) if numbers else _Around("", (0, 0))
        found = [
            match
            for view in ways
            for block in _blocks(view)
            for match in self._of_block(block, around)
        ]
        return _distinct(_best(found))

    def beginnings(self, text: str) -> list[Match]:
        """Return the records of whose message `text` is a part, the likeliest first."""
        sought = " ".join(line.text for line in views(text)[0]).strip()
        if not PARTIAL <= len(sought) <= LINE_LIMIT:
            return []
        found = [
            Match(pattern.code, {}, 0, 0, -pattern.weight, False)
            for pattern in starmap(Pattern, self._patterns)
            if any(sought in literal for literal in pattern.parts[::2])
        ]
        return _distinct(sorted(found, key=lambda match: -match.weight))

    def _of_block(self, block: Sequence[Line], around: _Around) -> Iterator[Match]:
        # Most lines hold no error: templates are ruled out for many of them at once.
        text = "\n".join([line.text for line in block])
        patterns = [Pattern(*self._patterns[number]) for number in self._candidates(text)]
        patterns = [it for it in patterns if _occurs(it, text)]
        if patterns or "[RG" in text:
            for line in block:
                if len(line.text) >= PARTIAL:
                    yield from self._of_line(line, patterns, around)

    def _of_line(self, line: Line, patterns: Iterable[Pattern], around: _Around) -> list[Match]:
        codes = CODE.findall(line.text) if "[RG" in line.text else []
        codes = [code for code in codes if code in self._known]
        if codes:
            # A message may quote another error; its own code stands last.
            patterns = [it for it in patterns if it.code == codes[-1]]
        suited = [it for it in patterns if around.suits(it, line)]
        found = list(self._read(suited, line))
        if codes:
            best = max(found, key=lambda it: (len(it.values), it.weight), default=None)
            values, weight = (best.values, best.weight) if best else ({}, 0)
            return [Match(codes[-1], values, line.first, line.last, weight, True)]
        weight = max((match.weight for match in found), default=0)
        return [match for match in found if match.weight == weight]

    def _candidates(self, text: str) -> list[int]:
        words = WORD.findall(text)
        marks = self._marks.intersection(words)
        if not marks:
            return self._always
        keys = [*self._words.intersection(marks)]
        keys += map(" ".join, self._pairs.intersection(pairwise(words)))
        return sorted([*(number for key in keys for number in self._keys[key]), *self._always])

    def _read(self, patterns: Iterable[Pattern], line: Line) -> Iterator[Match]:
        for it in patterns:
            if _occurs(it, line.text):
                values = read(it.parts, it.kinds, line.text)
                if values is not None:
                    # What a field at the end of a line holds may go on in the next one.
                    cut = line.cut and not it.parts[-1]
                    yield Match(it.code, values, line.first, line.last, it.weight, False, cut)


def _blocks(view: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Return the lines in groups: never more than so many, nor much more than so long."""
    start = size = 0
    for at, line in enumerate(view):
        size += len(line.text)
        if at - start == BLOCK or size > LINE_LIMIT:
            yield view[start:at]
            start, size = at, len(line.text)
    yield view[start:]


def _occurs(pattern: Pattern, text: str) -> bool:
    return all(literal in text for literal in pattern.parts[::2])


def _best(found: Iterable[Match]) -> list[Match]:
    """Return the matches of which no better one covers a line: explicit first, then heavy ones."""
    winners: dict[int, Match] = {}
    kept: list[Match] = []
    for match in sorted(found, key=_rank):
        lines = range(match.first, match.last + 1)
        if all(_is_no_worse(match, winners.setdefault(line, match)) for line in lines):
            kept.append(match)
    return sorted(kept, key=lambda match: (match.first, _rank(match)))


def _is_no_worse(match: Match, winner: Match) -> bool:
    return match.code == winner.code or _rank(match)[:2] == _rank(winner)[:2]


def _rank(match: Match) -> tuple[bool, int, bool, int, int]:
    length = match.last - match.first
    return not match.explicit, -match.weight, match.cut, length, match.first


def _distinct(found: Iterable[Match]) -> list[Match]:
    """Return one match for each record: its first place, with the best that was read there.

    Where nothing was read there, what was read anywhere stands in for it.
    """
    distinct: dict[str, Match] = {}
    for match in found:
        known = distinct.setdefault(match.code, match)
        if match.first <= known.last and _rank(match)[:4] < _rank(known)[:4]:
            distinct[match.code] = known = match._replace(first=known.first)
        if match.explicit > known.explicit or (not known.values and match.values):
            values = known.values or match.values
            explicit = known.explicit or match.explicit
            distinct[match.code] = known._replace(values=values, explicit=explicit)
    return list(distinct.values())
