"""The matcher's index of a catalogue: its templates, and the words that lead to them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.templates import parse


WORD = re.compile(r"[A-Za-z_]{3,}")


def index_of(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the matcher's index: every template, and a word or two that lead to it.

    A text that holds the message holds that word, whole, or those two, one after the other; so a
    look-up reads the text's words once and tries few templates. They are what fewest templates
    share.
    """
    patterns = [pattern for entry in entries for pattern in patterns_of(entry)]
    options = [_keys(parts) for _, parts, *_ in patterns]
    shared = Counter(key for keys in options for key in set(keys))
    keys: dict[str, list[int]] = {}
    for number, choice in enumerate(options):
        best = min(choice, key=lambda key: (shared[key], " " in key, -len(key), key), default="")
        keys.setdefault(best, []).append(number)
    return {"patterns": patterns, "keys": dict(sorted(keys.items()))}


def patterns_of(entry: Entry) -> list[list[Any]]:
    """Return the templates by which a text is known to be of this record.

    Each is the code, the template, the types of its fields, and what else the text has to hold.
    """
    templates = [entry["message"], *(pattern["template"] for pattern in entry["patterns"])]
    found: list[list[Any]] = []
    for template in dict.fromkeys(templates):
        parts = parse(template)
        kinds = [entry["fields"][name]["type"] for name in parts[1::2]]
        found.append([entry["code"], parts, kinds, entry.get("context", ())])
    return found


def _keys(parts: Sequence[str]) -> list[str]:
    """Return the whole words of a template, and what two of them stand side by side.

    One that touches a field may be part of a word.
    """
    found: list[str] = []
    for at in range(0, len(parts), 2):
        literal = parts[at]
        words = [
            word[0]
            for word in WORD.finditer(literal)
            if (word.start() > 0 or at == 0) and (word.end() < len(literal) or at == len(parts) - 1)
        ]
        found += [*words, *map(" ".join, pairwise(words))]
    return found
