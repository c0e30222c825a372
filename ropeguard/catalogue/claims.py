"""Which of a record's templates fits a text, and what each of them claims."""

from collections.abc import Iterator, Mapping
from typing import Any

from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.indexing import index_of
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.vocabulary import PACKAGES


def claims(entry: Entry) -> list[Mapping[str, Any]]:
    """Return template, package and versions of a record's own message and of each pattern."""
    package = PACKAGES.get(entry["origin"])
    own = {"template": entry["message"], "package": package, "versions": entry["versions"]}
    return [own, *entry["patterns"]]


def fitting(entry: Entry, text: str) -> tuple[int, ...]:
    """Return the numbers of the claims whose template fits a text: 0 is the record's message."""
    matchers = enumerate(_alone(entry))
    return tuple(number for number, matcher in matchers if matcher.matches(text))


def _alone(entry: Entry) -> Iterator[Matcher]:
    for claim in claims(entry):
        alone = {**entry, "message": claim["template"], "patterns": []}
        yield Matcher(index_of([alone]), [entry["code"]])
