"""Which of a package's raise sites lead to a record, and which of those were executed.

A site's message has holes for values that only a run would give. They are filled with what stands
in such messages: by what the words before the hole say, then in every way, up to a limit. The site
is recorded if any of the texts leads the public matcher to a record first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise, product
from typing import NamedTuple

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.claims import claims, fitting
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.sites import Site
from ropeguard.catalogue.templates import parse


_TRIES = 256
# A shape, an integer, a dtype, a name, a file as MLX names it. At the beginning, often a tag.
_VALUES = ("(2,3)", "3", "float32", "name", "file name.npy")
_CONTEXT = (
    (re.compile(r"shapes?:? ?(?:==)? ?$|dimensions of ?$", re.IGNORECASE), "(2,3)"),
    (re.compile(r"(?:d?types?|of type) ?(?:==)? ?$", re.IGNORECASE), "float32"),
    (
        re.compile(
            r"(?:axis|axes|size|rank|index|number|got|=|at|least|has|dimension|input|indices|\(\.\.\.,"
            r"|operand) ?$",
            re.IGNORECASE,
        ),
        "3",
    ),
    (re.compile(r"['\"`/<]$"), "name"),
)
_COUNTED = re.compile(r" ?(?:dimensions?|elements?|entries|bytes|bits|axes)\b")
_TAG = re.compile(r"^\[[\w:]+\]|^\w+::\w+|^\w+")
_HOLE = re.compile(r"(?<!\{)\{\}(?!\})")


class Covered(NamedTuple):
    """A site, and the record that its message leads to.

    Attributes:
        site: The site.
        code: The record, if there is one.
        is_executed: Whether a template that fits was executed in some release.
        device: What the record's programs need beside a CPU.
    """

    site: Site
    code: str | None = None
    is_executed: bool = False
    device: str | None = None


def covered(sites: Iterable[Site], entries: Iterable[Entry], matcher: Matcher) -> Iterator[Covered]:
    """Return each site with what the catalogue has for it.

    Args:
        sites: The sites.
        entries: The records of the catalogue.
        matcher: The public matcher of the same catalogue.
    """
    known = {entry["code"]: entry for entry in entries}
    found = {tag for entry in known.values() for tag in _tags(entry)}
    # A tag that is a message by itself would make one of any site.
    tags = sorted(tag for tag in found if not matcher.matches(tag))
    for site in sites:
        yield _covered(site, known, matcher, tags)


def _tags(entry: Entry) -> Iterator[str]:
    """Return what the templates of another package's messages begin with."""
    for claim in claims(entry):
        parts = parse(claim["template"])
        found = _TAG.match(
            "".join(part if at % 2 == 0 else "name" for at, part in enumerate(parts))
        )
        if found and claim["package"]:
            yield from {found[0], found[0].strip("[]")}


def _covered(
    site: Site, known: Mapping[str, Entry], matcher: Matcher, tags: Iterable[str]
) -> Covered:
    for text in texts(site.template, tags):
        found = matcher.matches(text)
        if found:
            entry = known[found[0].code]
            told = [claims(entry)[number] for number in fitting(entry, text)]
            executed = any(it["package"] and it["versions"] for it in told)
            return Covered(site, entry["code"], executed and not entry["device"], entry["device"])
    return Covered(site)


def has_words(site: Site) -> bool:
    """Return whether a message says anything that a record could be known by."""
    return len(re.sub(r"\W", "", _HOLE.sub("", site.template))) > 2


def texts(template: str, tags: Iterable[str]) -> Iterator[str]:
    """Return messages that a template may give, the likeliest first.

    Args:
        template: The message with its holes.
        tags: What may stand in a hole at the beginning, also in brackets.
    """
    parts = _HOLE.split(template)
    literals = [part.replace("{{", "{").replace("}}", "}") for part in parts]
    likely = [_likely(*pair) for pair in pairwise(literals)]
    yield _filled(literals, likely)
    for values in islice(product(_VALUES, repeat=len(likely)), _TRIES):
        yield _filled(literals, values)
    for value in _VALUES:
        yield _filled(literals, [value] * len(likely))
    if likely and literals[0] in ("", "["):
        others = [likely[1:], *([value] * (len(likely) - 1) for value in _VALUES[:3])]
        for tag, rest in product(tags, others if len(likely) > 1 else others[:1]):
            yield _filled(literals, [tag, *rest])


def _likely(before: str, after: str) -> str:
    if _COUNTED.match(after):
        return "3"
    return next((value for context, value in _CONTEXT if context.search(before)), "name")


def _filled(literals: list[str], values: Iterable[str]) -> str:
    pairs = zip(literals, [*values, ""], strict=True)
    return "".join(literal + value for literal, value in pairs)
