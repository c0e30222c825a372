"""Building the artefact: the same bytes for the same records, wherever they lie."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

import attrs

from ropeguard.catalogue.artefact import SCHEMA, Entry
from ropeguard.catalogue.model import Source
from ropeguard.catalogue.source import Catalogue
from ropeguard.catalogue.templates import parse


WORD = re.compile(r"[A-Za-z_]{3,}")


def artefact_bytes(catalogue: Catalogue) -> bytes:
    """Return the built catalogue as the file holds it."""
    entries = [entry_of(source) for source in catalogue.sources]
    lines = [_line(entry) for entry in entries]
    index = _line(index_of(entries))
    offsets: dict[str, list[int]] = {}
    at = 0
    for entry, line in zip(entries, lines, strict=True):
        offsets[entry["code"]] = [at, len(line)]
        at += len(line)
    header = {
        "schema": SCHEMA,
        "index": len(index),
        "codes": offsets,
        "slugs": {entry["slug"]: entry["code"] for entry in entries},
        "aliases": {alias: entry["code"] for entry in entries for alias in entry["aliases"]},
        "tombstones": {it.id: attrs.asdict(it) for it in catalogue.tombstones},
    }
    return b"".join([_line(header), index, *lines])


def _line(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def entry_of(source: Source) -> Entry:
    """Return a record's line: all its fields, its programs and the excerpts of its page."""
    record = attrs.asdict(source.record)
    fails, works = excerpts(source.before, source.after)
    programs = {"before": source.before, "after": source.after, "expected": source.expected}
    page = {"fails": fails, "works": works}
    return {"code": record.pop("id"), **record, **programs, "page": page}


def excerpts(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the lines around the change, each with its mark: `- `, `+ ` or two blanks."""
    old, new = before.splitlines(), after.splitlines()
    fails: list[str] = []
    works: list[str] = []
    groups = SequenceMatcher(None, old, new, False).get_grouped_opcodes(1)
    for number, group in enumerate(groups):
        if number:
            fails.append("  ...")
            works.append("  ...")
        for tag, a, b, c, d in group:
            fails += [("  " if tag == "equal" else "- ") + line for line in old[a:b]]
            works += [("  " if tag == "equal" else "+ ") + line for line in new[c:d]]
    return fails, works


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
