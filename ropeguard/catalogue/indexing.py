"""The matcher's index of a catalogue: its templates, and the words that lead to them."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.templates import parse


WORD = re.compile(r"[A-Za-z_]{3,}")


def index_of(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the matcher's index: every template, and a word that leads to it.

    A text that holds the message holds that word, whole, so that a look-up reads the text's words
    once and tries few templates. The word is the one that fewest templates share.
    """
    patterns = [pattern for entry in entries for pattern in patterns_of(entry)]
    shared = Counter(word for pattern in patterns for word in set(_words(pattern["parts"])))
    words: dict[str, list[int]] = {}
    for number, pattern in enumerate(patterns):
        options = _words(pattern["parts"])
        key = min(options, key=lambda word: (shared[word], -len(word), word), default="")
        words.setdefault(key, []).append(number)
    return {"patterns": patterns, "words": dict(sorted(words.items()))}


def patterns_of(entry: Entry) -> list[dict[str, Any]]:
    """Return the templates by which a text is known to be of this record."""
    templates = [entry["message"], *(pattern["template"] for pattern in entry["patterns"])]
    found = []
    for template in dict.fromkeys(templates):
        parts = parse(template)
        kinds = [entry["fields"][name]["type"] for name in parts[1::2]]
        weight = sum(len(literal) for literal in parts[::2])
        found.append({"code": entry["code"], "parts": parts, "kinds": kinds, "weight": weight})
    return found


def _words(parts: Iterable[str]) -> list[str]:
    """Return the whole words of a template; one that touches a field may be part of a word."""
    parts = list(parts)
    words: list[str] = []
    for at in range(0, len(parts), 2):
        literal = parts[at]
        for found in WORD.finditer(literal):
            inner_start = found.start() > 0 or at == 0
            inner_end = found.end() < len(literal) or at == len(parts) - 1
            if inner_start and inner_end:
                words.append(found[0])
    return words
