"""The record nearest to an error of MLX or mlx-lm whose message no record has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.evidence import Evidence, evidence_of, may_be, op_of, tags_of, words_of
from ropeguard.catalogue.vocabulary import OURS


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.shelf import Shelf

_SAME_TAG, _SAME_OP, _SHARED, _COVERED, _TOLD, _OF_SHAPES = 3.0, 2.0, 2.0, 0.5, 0.5, 0.4


class _Profile:
    """What a record's error is known by: the tags, operations and words of its templates."""

    def __init__(self, entry: Entry) -> None:
        templates = [entry["message"], *(it["template"] for it in entry["patterns"])]
        self.entry = entry
        self.has_shape = any(it["type"] in ("Shape", "Shapes") for it in entry["fields"].values())
        self.tags = set().union(*map(tags_of, templates))
        self.ops = {*entry["ops"], *map(op_of, self.tags)}
        self.templates = [set(words_of(it)) for it in templates]
        self.prose = set(words_of(f"{entry['title']} {entry['documentation']}"))


def nearby(text: str, shelves: Iterable[Shelf]) -> tuple[Shelf, Entry] | None:
    """Return the record nearest to the error in `text`, and where it stands.

    Only a text that says itself that its error is MLX's or mlx-lm's has one: by the operation in
    brackets with which MLX begins its messages, by a name of MLX's in the message, or by an
    innermost frame in these packages.

    Args:
        text: The pasted text, whose message no record has.
        shelves: The catalogues.
    """
    if not may_be(text):
        return None
    for shelf in shelves:
        profiles = [_Profile(it) for it in shelf.entries() if it["origin"] not in OURS]
        tags = {tag for profile in profiles for tag in profile.tags}
        ops = {op for profile in profiles for op in profile.ops}
        evidence = evidence_of(text, tags, ops)
        entry = _nearest(evidence, profiles) if evidence else None
        if entry is not None:
            return shelf, entry
    return None


def _nearest(evidence: Evidence, profiles: Sequence[_Profile]) -> Entry | None:
    weights = _weights(profiles)
    total = sum(weights.get(word, weights[""]) for word in set(evidence.words)) or 1.0
    best, entry = 0.0, None
    for profile in profiles:
        same_tag = evidence.tag in profile.tags
        same_op = bool(evidence.ops & profile.ops)
        if evidence.ops and not (same_tag or same_op):
            continue
        share, covered = max(
            _overlap(evidence, words, weights, total) for words in profile.templates
        )
        if share < evidence.share:
            continue
        told = len(profile.prose.intersection(evidence.words)) / (1 + len(evidence.words))
        score = _SAME_TAG * same_tag + _SAME_OP * same_op + _SHARED * share
        score += _COVERED * covered + _TOLD * told
        score += _OF_SHAPES * (evidence.has_shape and profile.has_shape)
        if score > best:
            best, entry = score, profile.entry
    return entry


def _weights(profiles: Iterable[_Profile]) -> Mapping[str, float]:
    """Return how much each word tells: the rarer in templates, the more; "" is any other word."""
    count = Counter(word for it in profiles for word in set().union(*it.templates))
    size = 1 + sum(1 for _ in profiles)
    return {"": log(size), **{word: log(size / number) for word, number in count.items()}}


def _overlap(
    evidence: Evidence, words: set[str], weights: Mapping[str, float], total: float
) -> tuple[float, float]:
    """Return how much of the message a template has, and how much of the template it has."""
    shared = sum(weights[word] for word in words.intersection(evidence.words))
    return shared / total, shared / (sum(weights[word] for word in words) or 1.0)
