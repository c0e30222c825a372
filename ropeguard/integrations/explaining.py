"""`ropeguard.explain`: from an exception, a code or a text to pages that a notebook renders."""

import traceback
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import attrs

from ropeguard.catalogue import Entry, RopeguardError, error
from ropeguard.catalogue.intake import check
from ropeguard.catalogue.lookup import (
    NOTICE,
    Hit,
    answer_to,
    is_name,
    nearest_to,
    shelves_of,
    summary,
)
from ropeguard.catalogue.markdown import markdown_page
from ropeguard.catalogue.pages import Style, page, tombstone_page
from ropeguard.integrations.translating import chain, names_in, translation


_FRAMES = 50


@attrs.frozen
class Page:
    """What the catalogue says of one error.

    Attributes:
        entry: The record, or what is known of a removed one.
        values: What is known of the record's fields.
        names: What arrays are called, by field, where that is known.
        removed: Whether the record was removed.
        nearest: Whether it is the record nearest to an error that none has.
        diagnostic: What a violated contract says of its own call, shown above the page.
        diagnostic_markdown: The same for a notebook.
    """

    entry: Entry
    values: Mapping[str, Any]
    names: Mapping[str, str] = attrs.field(factory=dict)
    removed: bool = False
    nearest: bool = False
    diagnostic: str = ""
    diagnostic_markdown: str = ""


@attrs.frozen(repr=False)
class Explanation:
    """The pages of an error and of those that it came from, the root first.

    As text it is what `ropeguard explain` prints; a notebook renders it as Markdown.

    Attributes:
        pages: One for each record.
    """

    pages: tuple[Page, ...]

    def __str__(self) -> str:
        return "\n".join(map(_text, self.pages))

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return "\n\n---\n\n".join(map(_markdown, self.pages))


def explain(subject: BaseException | str, *, catalogue: str | None = None) -> Explanation:
    """Return what the catalogue says of an exception, a code, a slug or a text.

    An exception is looked up with its causes, contexts and group. Nothing is evaluated, and only
    messages made of text are read.

    Args:
        subject: What is asked.
        catalogue: The path of a further catalogue, which is asked first; for texts and names.
    """
    if isinstance(subject, BaseException):
        pages = tuple(_of_exceptions(subject)) or tuple(_nearest_to(_as_text(subject)))
        return Explanation(pages) if pages else _refuse(_as_text(subject))
    query = check(subject)
    shelves = shelves_of(catalogue)
    answer = answer_to(query, shelves)
    if answer.rivals:
        raise error("text-ambiguous", count=len(answer.rivals))
    hits = answer.hits or tuple(filter(None, [nearest_to(query, shelves)]))
    return Explanation(tuple(map(_of_hit, hits))) if hits else _refuse(query)


def _refuse(query: str) -> NoReturn:
    if is_name(query):
        raise error("code-unknown", name=query.strip())
    raise error("text-unknown", text=summary(query))


def _of_hit(hit: Hit) -> Page:
    return Page(hit.entry, hit.values, {}, hit.removed, hit.nearest)


def _of_exceptions(failure: BaseException) -> Iterator[Page]:
    """Yield a page for each record in the chain and group of an exception, the root first."""
    seen: set[str] = set()
    for one in reversed(list(chain(failure))):
        if isinstance(one, RopeguardError):
            found = _of_ours(one)
        elif (known := translation(one)) is not None:
            entry = known.entry
            found = Page(entry, known.values, names_in(entry, known.values, known.arrays))
        else:
            continue
        if found.entry["code"] not in seen:
            seen.add(found.entry["code"])
            yield found


def _of_ours(failure: Any) -> Page:
    found = Page(failure.record, failure.fields)
    # Only a violated contract has one, and asking for its class would import MLX.
    if not hasattr(failure, "render"):
        return found
    # As text: an exception holds the frames that it came through, and they hold arrays.
    shown = failure.render(color=False, width=Style().width)
    return attrs.evolve(
        found,
        diagnostic=f"{shown}\n\n",
        diagnostic_markdown=f"{failure._repr_markdown_()}\n\n---\n\n",
    )


def _nearest_to(text: str) -> Iterator[Page]:
    hit = nearest_to(text, shelves_of(None))
    if hit is not None:
        yield _of_hit(hit)


def _as_text(failure: BaseException) -> str:
    """Return an exception as a traceback shows it, of text that it was made of alone."""
    frames = traceback.extract_tb(failure.__traceback__, limit=-_FRAMES)
    lines = [f'  File "{it.filename}", line {it.lineno}\n    {it.line}' for it in frames]
    message = next((it for it in failure.args[:1] if isinstance(it, str)), "")
    return "\n".join([*lines, f"{type(failure).__name__}: {message}"])


def _text(it: Page) -> str:
    if it.removed:
        return tombstone_page(it.entry, Style())
    shown = page(it.entry, it.values, Style(), it.names)
    return f"{NOTICE}\n\n{shown}" if it.nearest else it.diagnostic + shown


def _markdown(it: Page) -> str:
    if it.removed:
        return f"```text\n{tombstone_page(it.entry, Style())}```"
    shown = markdown_page(it.entry, it.values, it.names)
    return f"*{NOTICE}*\n\n{shown}" if it.nearest else it.diagnostic_markdown + shown
