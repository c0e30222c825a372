"""A record as a page: the text for a terminal, and one line of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.templates import clean, fill, parse, show
from ropeguard.catalogue.vocabulary import NOTHING
from ropeguard.catalogue.yours import sentence, suggestions


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ropeguard.catalogue.templates import Value

    _Blocks: TypeAlias = Iterator[tuple[str, list[str]]]

_LABEL = 10
_WORD = re.compile(r"(?:`[^`]*+`|\S)++")
_COLOURS = {"bold": "1", "red": "31", "green": "32", "cyan": "36", "dim": "2"}


class Style:
    """How a page is to look.

    Attributes:
        width: The columns that prose may take.
        colour: Whether escape sequences may be used.
        full: Whether everything is shown, or what most readers need.
    """

    def __init__(self, width: int = 80, colour: bool = False, full: bool = False) -> None:
        self.width = width
        self.colour = colour
        self.full = full

    def paint(self, text: str, colour: str) -> str:
        """Return `text` in that colour, where colours may be used."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.colour and text else text


def page(
    entry: Entry,
    values: Mapping[str, Value],
    style: Style,
    names: Mapping[str, str] | None = None,
) -> str:
    """Return the page of a record, filled with the values of a pasted text.

    Args:
        entry: The record.
        values: What the text says of the record's fields.
        style: How the page is to look.
        names: What arrays are called, by field, where that is known.
    """
    safe = _safe(entry)
    lines = [*_head(safe, style), "", *_message(safe, values, style)]
    yours = _yours(safe, values, style.width - _LABEL, names)
    rest = (_full if style.full else _compact)(safe, values, style)
    for label, block in (*yours, *rest):
        lines += _labelled(label, block, style)
    return "\n".join(lines).rstrip() + "\n"


def _safe(value: Any) -> Any:
    """Return a record of which nothing can act on a terminal, line ends apart."""
    if isinstance(value, str):
        return "\n".join(clean(line) for line in value.split("\n"))
    if isinstance(value, dict):
        return {name: _safe(inner) for name, inner in value.items()}
    return [_safe(inner) for inner in value] if isinstance(value, list) else value


def _head(entry: Entry, style: Style) -> Iterator[str]:
    since = f"since {entry['since']}" if entry["since"] else ""
    raised = "raises nothing" if entry["exception"] == NOTHING else entry["exception"]
    facts = " · ".join(it for it in (entry["origin"], raised, since) if it)
    left = f"{entry['code']}  {entry['slug']}"
    gap = style.width - len(left) - len(facts)
    first = style.paint(left, "bold")
    yield f"{first}{' ' * gap}{style.paint(facts, 'dim')}" if gap > 1 else first
    if gap <= 1:
        yield style.paint(facts, "dim")
    yield from _wrap(entry["title"], style.width)
    if entry["deprecated"]:
        yield "Deprecated since {version}: {reason}".format(**entry["deprecated"])


def _message(entry: Entry, values: Mapping[str, Value], style: Style) -> Iterator[str]:
    message = fill(parse(entry["message"]), values, _types(entry))
    if message != entry["title"]:
        yield from (f"  {line}" for line in _wrap(message, style.width - 2))
        yield ""


def _types(entry: Entry) -> dict[str, str]:
    return {name: field["type"] for name, field in entry["fields"].items()}


def solution_text(solution: Mapping[str, Any], entry: Entry, values: Mapping[str, object]) -> str:
    """Return what a solution says; one that names its fixer is a template of the record's fields.

    Args:
        solution: The solution.
        entry: The record.
        values: The fields' values, as far as they are known.
    """
    text: str = solution["text"]
    return fill(parse(text), values, _types(entry)) if solution["fixer"] else text


def _compact(entry: Entry, values: Mapping[str, Value], style: Style) -> _Blocks:
    width = style.width - _LABEL
    yield "Why", _paragraphs(entry["documentation"], width)
    yield "Do", _numbered((solution_text(it, entry, values) for it in entry["solutions"]), width)
    fails, gives = _labels(entry)
    yield fails, _excerpt(entry["page"]["fails"], "red", style)
    if entry["exception"] == NOTHING:
        yield gives, entry["expected"].splitlines()
    yield "WORKS", _excerpt(entry["page"]["works"], "green", style)
    yield "Prevent", _numbered(entry["prevention"]["tips"], width)
    yield "More", _wrap(_more(entry), width)


def _full(entry: Entry, values: Mapping[str, Value], style: Style) -> _Blocks:
    width = style.width - _LABEL
    yield "Why", _paragraphs(entry["documentation"], width)
    yield "When", _numbered(entry["trigger_scenarios"], width)
    yield "Causes", _numbered(map(_with_link, entry["common_situations"]), width)
    solutions = (
        f"{solution_text(it, entry, values)} ({it['applicability']})" for it in entry["solutions"]
    )
    yield "Do", _numbered(solutions, width)
    fails, gives = _labels(entry)
    for label, key in ((fails, "before"), (gives, "expected"), ("WORKS", "after")):
        yield label, entry[key].splitlines()
    yield "Check", entry["validation_code"].splitlines()
    yield "Guard", (entry["type_guard"] or "").splitlines()
    yield "Catch", (entry["try_catch_pattern"] or "").splitlines()
    yield "Prevent", _numbered(entry["prevention"]["tips"], width)
    yield "Earlier", (entry["prevention"]["code"] or "").splitlines()
    yield "Facts", [line for line in _facts(entry) for line in _wrap(line, width)]
    yield "Links", [f"{it['title']}: {it['url']}" for it in entry["links"]]


def _yours(
    entry: Entry, values: Mapping[str, Value], width: int, names: Mapping[str, str] | None
) -> _Blocks:
    types = _types(entry)
    said = sentence(entry, values)
    found = _wrap(f"{said[0].upper()}{said[1:]}.", width) if said else []
    for name, value in values.items():
        doc = entry["fields"].get(name, {}).get("doc") or ""
        text = f"{name} = {show(types.get(name, 'Text'), value)}"
        found += _wrap(f"{text}  # {doc}" if doc else text, width, "  ")
    yield "Yours", found
    yield "Fits", [f"{clean(it.code)}  # {it.why}" for it in suggestions(entry, values, names)]


def _paragraphs(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        lines += ([""] if lines else []) + _wrap(paragraph, width)
    return lines


def _numbered(texts: Any, width: int) -> list[str]:
    texts = list(texts)
    if len(texts) == 1:
        return _wrap(texts[0], width)
    return [
        line
        for number, text in enumerate(texts, start=1)
        for line in _wrap(f"{number} {text}", width, "  ")
    ]


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    # `textwrap` would take longer to import than a page takes to wrap.
    lines: list[str] = []
    line = ""
    for word in _words(text, width):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines


def _words(text: str, width: int) -> Iterator[str]:
    """Return the words of `text`; code between backticks is one word, so that it can be copied."""
    for word in _WORD.findall(text):
        yield from word.split() if len(word) > width else [" ".join(word.split())]


def _labels(entry: Entry) -> tuple[str, str]:
    """Return what the program with the mistake is called, and what it gives."""
    return ("WRONG", "Prints") if entry["exception"] == NOTHING else ("FAILS", "Error")


def _excerpt(lines: list[str], colour: str, style: Style) -> list[str]:
    return [style.paint(line, colour) if line[0] in "-+" else line for line in lines]


def _more(entry: Entry) -> str:
    related = f"; related: {', '.join(entry['related'])}" if entry["related"] else ""
    return f"ropeguard explain {entry['code']} --full{related}"


def _with_link(situation: Mapping[str, str | None]) -> str:
    link = situation["link"]
    return f"{situation['text']} ({link})" if link else f"{situation['text']}"


def _facts(entry: Entry) -> Iterator[str]:
    yield f"status {entry['status']}, severity {entry['severity']}"
    yield f"what a caller does: {entry['handling_strategy']}"
    for key in ("tags", "ops", "aliases", "related", "needs", "versions"):
        if entry.get(key):
            yield f"{key}: {', '.join(entry[key])}"
    for pattern in entry["patterns"]:
        versions = f" {', '.join(pattern['versions'])}" if pattern["versions"] else ""
        yield f"also {pattern['package']}{versions}: {pattern['template']}"


def _labelled(label: str, block: list[str], style: Style) -> Iterator[str]:
    colour = {"FAILS": "red", "WRONG": "red", "WORKS": "green"}.get(label, "cyan")
    for number, line in enumerate(block):
        head = (
            style.paint(label, colour) + " " * (_LABEL - len(label)) if not number else " " * _LABEL
        )
        yield (head + line).rstrip()
    if block:
        yield ""


def tombstone_page(stone: Entry, style: Style) -> str:
    """Return what there is to say of a removed record."""
    safe = _safe(stone)
    lines = [style.paint(f"{safe['id']}  {safe['slug']}", "bold")]
    lines += _wrap(f"Removed in {safe['version']}: {safe['reason']}", style.width)
    if safe["replaced_by"]:
        lines += _wrap(f"See {', '.join(safe['replaced_by'])}.", style.width)
    return "\n".join(lines) + "\n"
