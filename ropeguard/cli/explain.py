"""`ropeguard explain`: from a code, a slug or a pasted text to the page of its record."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from ropeguard.catalogue.intake import check, read_stream
from ropeguard.catalogue.json_lines import json_line, tombstone_json
from ropeguard.catalogue.lookup import (
    NOTICE,
    Answer,
    Hit,
    answer_to,
    is_name,
    nearest,
    nearest_to,
    shelves_of,
    summary,
)
from ropeguard.catalogue.pages import Style, page, tombstone_page
from ropeguard.catalogue.raising import error
from ropeguard.catalogue.templates import clean
from ropeguard.cli.arguments import Options
from ropeguard.cli.output import show, style, write


# The exit status where no record has the message, and the nearest is shown.
NEAREST = 5
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ropeguard.catalogue.shelf import Shelf


def explain(options: Options) -> int:
    """Print what the catalogues know of the query, and return the exit status."""
    if options.list:
        from ropeguard.cli.listing import list_records

        return list_records(options)
    query = _query(options.query)
    if not query.strip():
        raise error("usage-wrong", problem="there is no text to explain")
    shelves = shelves_of(options.catalogue)
    answer = answer_to(query, shelves)
    if not answer:
        from ropeguard.cli.extensions import extension_shelves

        shelves += extension_shelves()
        answer = answer_to(query, shelves)
    if answer.rivals:
        _refuse_rivals(answer.rivals, options.json)
    if answer.hits:
        _show(answer, options)
        return 0
    near = nearest_to(query, shelves)
    if near is None:
        _refuse(query, shelves)
    _show(Answer([near]), options)
    return NEAREST


def _query(words: list[str]) -> str:
    if not words and (sys.stdin is None or sys.stdin.isatty()):
        raise error("usage-wrong", problem="a code, a slug or a text is missing")
    if words in ([], ["-"]):
        return read_stream(sys.stdin.buffer)
    return check(" ".join(words))


def _refuse(query: str, shelves: Sequence[Shelf]) -> NoReturn:
    near = [f"    {it['code']}  {it['slug']}: {it['title']}" for it in nearest(query, shelves)]
    details = clean_lines(["  the nearest records:", *near])
    if is_name(query):
        raise error("code-unknown", details=details, name=query.strip())
    raise error("text-unknown", details=details, text=summary(query))


def _refuse_rivals(rivals: Sequence[Hit], as_json: bool) -> NoReturn:
    lines = [f"{hit.entry['code']}\t{hit.entry['slug']}\t{hit.entry['title']}" for hit in rivals]
    text = "".join(json_line(hit.entry, hit.values, hit.shelf.path) for hit in rivals)
    write(sys.stdout, text if as_json else clean_lines(lines) + "\n")
    raise error("text-ambiguous", count=len(rivals))


def clean_lines(lines: Sequence[str]) -> str:
    """Return lines of which nothing can act on a terminal, as one text."""
    return "\n".join(clean(line) for line in lines)


def _show(answer: Answer, options: Options) -> None:
    if options.verify:
        from ropeguard.cli.verifying import verify

        verify(answer.hits)
    elif options.json:
        show("".join(map(_json, answer.hits)), pager=False)
    elif options.example:
        show("".join(_programs(answer.hits, options.example)), pager=False)
    else:
        look = style(options.color, options.full)
        pages = [_page(hit, look) for hit in answer.hits]
        show("\n".join([*pages, *_mentions(answer.others)]), pager=not options.no_pager)


def _page(hit: Hit, look: Style) -> str:
    if hit.removed:
        return tombstone_page(hit.entry, look)
    shown = page(hit.entry, hit.values, look)
    return f"{NOTICE}\n\n{shown}" if hit.nearest else shown


def _json(hit: Hit) -> str:
    if hit.removed:
        return tombstone_json(hit.entry, hit.shelf.path)
    return json_line(hit.entry, hit.values, hit.shelf.path, hit.nearest)


def _programs(hits: Sequence[Hit], which: str) -> Iterator[str]:
    for hit in hits:
        if hit.removed:
            raise error("record-removed", slug=hit.entry["slug"])
        yield clean_lines(hit.entry[which].splitlines()) + "\n"


def _mentions(others: Sequence[Hit]) -> Iterator[str]:
    for hit in others:
        code = hit.entry.get("code") or hit.entry["id"]
        yield clean(f"Also in {hit.shelf.path}: {code}  {hit.entry['slug']}") + "\n"
