"""Which records a pasted text tells of, with the values that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ropeguard.catalogue.indexing import WORD
from ropeguard.catalogue.pasted import CODE, LINE_LIMIT, Line, views
from ropeguard.catalogue.reading import read


if TYPE_CHECKING:
    from ropeguard.catalogue.templates import Parts, Value

PARTIAL = 8


class Match(NamedTuple):
    """A record that the text tells of.

    Attributes:
        code: The record.
        values: What the text says of its fields.
        first: The first line that tells of it.
        last: The last line that tells of it.
        weight: How many characters of the text the record accounts for.
        explicit: Whether the text names the code.
    """

    code: str
    values: Mapping[str, Value]
    first: int
    last: int
    weight: int
    explicit: bool


class Pattern(NamedTuple):
    """A template of a record."""

    code: str
    parts: Parts
    kinds: tuple[str, ...]
    weight: int


class Matcher:
    """The templates of one catalogue, of which a text selects few by its words.

    Args:
        index: What `build.index_of` made.
        known: The codes that the catalogue answers for.
    """

    def __init__(self, index: Mapping[str, Any], known: Iterable[str]) -> None:
        self._patterns = [Pattern(**pattern) for pattern in index["patterns"]]
        self._words: Mapping[str, list[int]] = index["words"]
        self._known = frozenset(known)

    def matches(self, text: str) -> list[Match]:
        """Return each record that `text` tells of once, in the order of the text.

        A chain of exceptions stands in a traceback with its root first, so that the root comes
        first here too. Several matches of the same lines and weight are all returned.
        """
        found = [
            match
            for view in views(text)
            for line in view
            if len(line.text) >= PARTIAL
            for match in self._of_line(line)
        ]
        return _distinct(_best(found))

    def beginnings(self, text: str) -> list[Match]:
        """Return the records of whose message `text` is a part, the likeliest first."""
        sought = " ".join(line.text for line in views(text)[0]).strip()
        if not PARTIAL <= len(sought) <= LINE_LIMIT:
            return []
        found = [
            Match(pattern.code, {}, 0, 0, -pattern.weight, False)
            for pattern in self._patterns
            if any(sought in literal for literal in pattern.parts[::2])
        ]
        return _distinct(sorted(found, key=lambda match: -match.weight))

    def _of_line(self, line: Line) -> list[Match]:
        codes = [code for code in CODE.findall(line.text) if code in self._known]
        patterns = self._candidates(line.text)
        if codes:
            # A message may quote another error; its own code stands last.
            patterns = [it for it in patterns if it.code == codes[-1]]
        found = list(self._read(patterns, line))
        if codes:
            best = max(found, key=lambda it: (len(it.values), it.weight), default=None)
            values, weight = (best.values, best.weight) if best else ({}, 0)
            return [Match(codes[-1], values, line.first, line.last, weight, True)]
        weight = max((match.weight for match in found), default=0)
        return [match for match in found if match.weight == weight]

    def _candidates(self, text: str) -> list[Pattern]:
        words = dict.fromkeys(WORD.findall(text))
        numbers = [number for word in words for number in self._words.get(word, ())]
        return [self._patterns[number] for number in (*numbers, *self._words.get("", ()))]

    def _read(self, patterns: Iterable[Pattern], line: Line) -> Iterator[Match]:
        for it in patterns:
            if all(literal in line.text for literal in it.parts[::2]):
                values = read(it.parts, it.kinds, line.text)
                if values is not None:
                    yield Match(it.code, values, line.first, line.last, it.weight, False)


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


def _rank(match: Match) -> tuple[bool, int, int, int]:
    return not match.explicit, -match.weight, match.last - match.first, match.first


def _distinct(found: Iterable[Match]) -> list[Match]:
    """Return one match for each record: its first place, with the most that was read anywhere."""
    distinct: dict[str, Match] = {}
    for match in found:
        known = distinct.setdefault(match.code, match)
        if match.explicit > known.explicit or (not known.values and match.values):
            values = known.values or match.values
            explicit = known.explicit or match.explicit
            distinct[match.code] = known._replace(values=values, explicit=explicit)
    return list(distinct.values())
