"""A record as Markdown, for a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.pages import solution_text
from ropeguard.catalogue.templates import clean, fill, parse, show
from ropeguard.catalogue.yours import sentence, suggestions


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ropeguard.catalogue.templates import Value

_SPAN = re.compile(r"(`+[^`]*`+)")
_MARKS = re.compile(r"([*_<>\[\]|\\&#~$])")


def markdown_page(
    entry: Entry, values: Mapping[str, Value], names: Mapping[str, str] | None = None
) -> str:
    """Return the page of a record as Markdown.

    Args:
        entry: The record.
        values: What a text or an exception says of the record's fields.
        names: What the arrays are called, by field, where that is known.
    """
    return "\n\n".join(_blocks(entry, values, names))


def _blocks(
    entry: Entry, values: Mapping[str, Value], names: Mapping[str, str] | None
) -> Iterator[str]:
    types = {name: field["type"] for name, field in entry["fields"].items()}
    yield f"**{entry['code']}** {code(entry['slug'])}: {escaped(entry['title'])}"
    yield fenced(fill(parse(entry["message"]), values, types), "text")
    said = sentence(entry, values)
    if said:
        yield f"**Yours**: {escaped(said)}."
    elif values:
        pairs = (f"{name} = {show(types.get(name, 'Text'), it)}" for name, it in values.items())
        yield "**Yours**: " + ", ".join(map(code, pairs))
    found = suggestions(entry, values, names)
    if found:
        yield "**Fits**"
        yield fenced("\n".join(f"{fit.code}  # {fit.why}" for fit in found), "python")
    yield escaped(entry["documentation"].strip())
    ways = [escaped(solution_text(it, entry, values)) for it in entry["solutions"]]
    yield "**Do**\n\n" + "\n".join(f"{at}. {way}" for at, way in enumerate(ways, start=1))
    changes = [*_change(entry["page"]["fails"]), *_change(entry["page"]["works"])]
    if changes:
        yield fenced("\n".join(changes), "diff")
    tips = [escaped(tip) for tip in entry["prevention"]["tips"]]
    yield "**Prevent**\n\n" + "\n".join(f"- {tip}" for tip in tips)
    yield code(f"ropeguard explain {entry['code']} --full")


def _change(excerpt: Sequence[str]) -> list[str]:
    return [line for line in excerpt if line[:1] in ("-", "+")]


def code(text: str) -> str:
    """Return text as a span of code, whatever backticks are in it."""
    text = clean(text)
    fence = "`" * (_longest(text) + 1)
    pad = " " if "`" in (text[:1], text[-1:]) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text: str, language: str) -> str:
    """Return text as a block of code, whatever fences are in it."""
    fence = "`" * max(3, _longest(text) + 1)
    lines = "\n".join(clean(line) for line in text.split("\n"))
    return f"{fence}{language}\n{lines}\n{fence}"


def escaped(text: str) -> str:
    """Return prose of which only spans of code are markup."""
    pieces = _SPAN.split("\n".join(clean(line) for line in text.split("\n")))
    pieces[::2] = [_MARKS.sub(r"\\\1", piece.replace("`", "\\`")) for piece in pieces[::2]]
    return "".join(pieces)


def _longest(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
