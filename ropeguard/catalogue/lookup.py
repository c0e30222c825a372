"""From a question, whether a code, a slug or a pasted text, to the records that answer it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from ropeguard.catalogue.artefact import Entry, ours
from ropeguard.catalogue.intake import check
from ropeguard.catalogue.raising import error


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.matcher import Match
    from ropeguard.catalogue.shelf import Shelf
    from ropeguard.catalogue.templates import Value


NOTICE = "No record has this message word for word. The nearest one is:"


class Hit:
    """A record that answers, or a removed one, or the nearest to what no record has.

    Attributes:
        entry: The record, or what its tombstone says.
        removed: Whether it is a tombstone.
        values: What the text says of the record's fields.
        shelf: The catalogue that it stands in.
        nearest: Whether it is of the same operation only, and its message is another one.
    """

    def __init__(
        self,
        entry: Entry,
        removed: bool,
        values: Mapping[str, Value],
        shelf: Shelf,
        nearest: bool = False,
    ) -> None:
        self.entry = entry
        self.nearest = nearest
        self.removed = removed
        self.values = values
        self.shelf = shelf


class Answer:
    """What the catalogues say.

    Attributes:
        hits: The records to show, in the order of the text.
        rivals: Records that fit the text equally well; then there are no hits.
        others: Records of further catalogues that answer too.
    """

    def __init__(
        self, hits: Iterable[Hit] = (), rivals: Iterable[Hit] = (), others: Iterable[Hit] = ()
    ) -> None:
        self.hits = tuple(hits)
        self.rivals = tuple(rivals)
        self.others = tuple(others)

    def __bool__(self) -> bool:
        return bool(self.hits or self.rivals)


def look_up(query: str, catalogue: str | None = None) -> Answer:
    """Return the records that a code, a slug, a message or a whole traceback tells of.

    Args:
        query: What is asked.
        catalogue: The path of a further catalogue, which is asked first.
    """
    answer = answer_to(check(query), shelves_of(catalogue))
    if answer.rivals:
        raise error("text-ambiguous", count=len(answer.rivals))
    if not answer.hits and is_name(query):
        raise error("code-unknown", name=query.strip())
    if not answer.hits:
        raise error("text-unknown", text=summary(query))
    return answer


def shelves_of(path: str | None) -> list[Shelf]:
    """Return ropeguard's own catalogue, after the one at `path` if there is one."""
    if path is None:
        return [ours()]
    from ropeguard.catalogue.foreign import open_catalogue

    return [open_catalogue(path), ours()]


def answer_to(query: str, shelves: Sequence[Shelf]) -> Answer:
    """Return what the shelves know of a query, by name or else by text."""
    name = query.strip()
    answer = by_name(name, shelves) if _WORDS.fullmatch(name) else Answer()
    return answer if answer or _CODE.fullmatch(name) else by_text(query, shelves)


def nearest_to(query: str, shelves: Iterable[Shelf]) -> Hit | None:
    """Return the record nearest to an error of MLX whose message none has, if it is one."""
    if is_name(query):
        return None
    from ropeguard.catalogue.nearby import nearby

    found = nearby(query, shelves)
    return None if found is None else Hit(found[1], False, {}, found[0], nearest=True)


def is_name(query: str) -> bool:
    """Return whether a query looks like a code or a slug rather than like a text."""
    return _NAME.fullmatch(query.strip()) is not None


def summary(query: str) -> str:
    """Return the beginning of a query, for a message."""
    return " ".join(query[:_SHOWN].split())


_SHOWN = 60
_CODE = re.compile(r"(?:rg-?)?\d+", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,79}")
_WORDS = re.compile(rf"{_NAME.pattern}(?: +[\w-]{{1,40}}){{0,9}}")


def by_name(name: str, shelves: Iterable[Shelf]) -> Answer:
    """Return the records with that code or slug: the first shelf's is shown, others mentioned."""
    joined = "-".join(name.split())
    hits = []
    for shelf in shelves:
        code = shelf.code_of(joined)
        if code is not None:
            hits.append(_hit(shelf, code, {}))
    return Answer(hits=hits[:1], others=hits[1:])


def by_text(text: str, shelves: Iterable[Shelf]) -> Answer:
    """Return the records that a pasted text tells of: those of the first shelf that knows any."""
    answers = [answer for shelf in shelves if (answer := _on_shelf(text, shelf))]
    if not answers:
        return Answer()
    others = (hit for answer in answers[1:] for hit in (*answer.hits, *answer.rivals))
    return Answer(answers[0].hits, answers[0].rivals, others)


def _on_shelf(text: str, shelf: Shelf) -> Answer:
    matcher = shelf.matcher()
    found = matcher.matches(text)
    rivalry = _are_rivals(found)
    if not found:
        found = matcher.beginnings(text)
        rivalry = len(found) > 1
    hits = tuple(_hit(shelf, it.code, it.values) for it in found)
    return Answer(rivals=hits) if rivalry else Answer(hits=hits)


def _are_rivals(found: Sequence[Match]) -> bool:
    return any(later.first <= earlier.last for earlier, later in pairwise(found))


def _hit(shelf: Shelf, code: str, values: Mapping[str, Value]) -> Hit:
    removed = code in shelf.tombstones
    return Hit(shelf.tombstones[code] if removed else shelf.entry(code), removed, values, shelf)


def nearest(query: str, shelves: Iterable[Shelf], count: int = 3) -> list[Entry]:
    """Return the records whose names or words are nearest to the question."""
    score = _scorer(query)
    entries = {entry["code"]: entry for shelf in shelves for entry in shelf.entries()}
    scored = [(score(entry), entry["slug"], entry) for entry in entries.values()]
    scored.sort(key=lambda it: (-it[0], it[1]))
    return [entry for _, _, entry in scored[:count]]


def _scorer(query: str) -> Callable[[Entry], float]:
    from difflib import SequenceMatcher

    short = query.strip().lower()[:200]
    words = set(short.replace("-", " ").split())
    matcher = SequenceMatcher(None, b=short, autojunk=False)

    def score(entry: Entry) -> float:
        best = 0.0
        for name in (entry["slug"], entry["code"].lower(), entry["title"].lower()):
            matcher.set_seq1(name)
            best = max(best, matcher.ratio())
        known = set(f"{entry['slug']} {entry['title']} {entry['message']}".lower().split())
        known |= set(entry["slug"].split("-"))
        return best + len(words & known) / (1 + len(words))

    return score
