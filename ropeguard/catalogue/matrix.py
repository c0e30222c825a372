"""What each release of a package does with the programs of the records of its messages."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ropeguard.catalogue import forked
from ropeguard.catalogue.artefact import Entry
from ropeguard.catalogue.build import entry_of
from ropeguard.catalogue.claims import claims, fitting
from ropeguard.catalogue.editing import with_versions
from ropeguard.catalogue.files import write_atomically
from ropeguard.catalogue.model import Source
from ropeguard.catalogue.programs import Run, Runner
from ropeguard.catalogue.proof import last_block
from ropeguard.catalogue.releases import Release, Wording, wording_of
from ropeguard.catalogue.templates import parse
from ropeguard.catalogue.vocabulary import NOTHING, PACKAGES


_MISSING = re.compile(
    r"ModuleNotFoundError|ImportError|AttributeError: (?:module|type object) '[\w.]+' has no"
)


class Outcome(NamedTuple):
    """What a release did with a record's programs.

    Attributes:
        kind: `raised` the message, or raised another one (`differs`), raised nothing (`passes`),
            lacks what the program imports or calls (`missing`), or did not end (`late`).
        templates: Which templates fit what was raised: 0 the record's message, 1 its first
            pattern, and so on.
        mended: Whether `after.py` ran clean.
        text: The last line of what was raised.
    """

    kind: str
    templates: tuple[int, ...]
    mended: bool
    text: str


class Row(NamedTuple):
    """A record in each release, with what it claims and does not keep.

    Attributes:
        source: The record.
        outcomes: What came of its programs, by release.
        held: By release, the templates that it has: those that were raised, and where that was
            another one, the record's message if the release holds its text.
        drift: By release, why a claim of the record does not hold there.
    """

    source: Source
    outcomes: Mapping[str, Outcome]
    held: Mapping[str, frozenset[int]]
    drift: Mapping[str, Sequence[str]]


def rows(sources: Iterable[Source], releases: Sequence[Release]) -> Iterator[Row]:
    """Run the programs of each record of a package's messages in each of its releases."""
    for source in sources:
        outcomes, held, drift = {}, {}, {}
        for release in releases:
            if not concerns(source, release.package):
                continue
            entry = entry_of(source)
            outcome = outcome_of(entry, partial(forked.run, python=release.python))
            wording = wording_of(release)
            outcomes[release.version] = outcome
            held[release.version] = _held(entry, outcome, wording)
            drift[release.version] = [*_unkept(entry, release, outcome, wording)]
        if outcomes:
            yield Row(source, outcomes, held, drift)


def concerns(source: Source, package: str) -> bool:
    """Return whether a record is of a message of that package, and runs anywhere."""
    record = source.record
    mine = PACKAGES.get(record.origin) == package and record.exception != NOTHING
    return mine and record.device is None


def outcome_of(entry: Entry, runner: Runner) -> Outcome:
    """Run a record's programs, and return what came of them."""
    ended = runner(entry["before"], "")
    mended = runner(entry["after"], "").status == 0
    told = last_block(ended.errors)
    raised = fitting(entry, told)
    return Outcome(_kind(ended, told, raised), raised, mended, _line(ended, told))


def _kind(ended: Run, told: str, raised: tuple[int, ...]) -> str:
    kinds = {
        "late": ended.status is None,
        "raised": bool(raised),
        "passes": ended.status == 0,
        "missing": _MISSING.match(told) is not None,
    }
    return next((kind for kind, holds in kinds.items() if holds), "differs")


def _line(ended: Run, told: str) -> str:
    lines = told.strip().splitlines()
    died = f"it died by signal {-ended.status}" if ended.status and ended.status < 0 else ""
    return died or (lines[0] if lines else "")


def _held(entry: Entry, outcome: Outcome, wording: Wording) -> frozenset[int]:
    literals = parse(entry["message"])[::2]
    has_message = outcome.templates and all(wording.has_whole(it) for it in literals)
    return frozenset((*outcome.templates, 0) if has_message else outcome.templates)


def _unkept(entry: Entry, release: Release, outcome: Outcome, wording: Wording) -> Iterator[str]:
    """Return what a record says of a release, and is not so."""
    if release.version in entry["versions"]:
        if outcome.kind != "raised":
            yield f"the message is claimed, but before.py {outcome.kind}: {outcome.text}"
        if not outcome.mended:
            yield "the message is claimed, but after.py fails"
    for number, claim in enumerate(claims(entry)):
        mine = claim["package"] == release.package and release.version in claim["versions"]
        literals = parse(claim["template"])[::2]
        if mine and number not in outcome.templates and not all(map(wording.has, literals)):
            name = f"pattern {number}" if number else "the message"
            yield f"{name} is claimed, but its text is not in the release"


def bless(row: Row) -> bool:
    """Write which releases have which template; return whether any is new to the record.

    What was claimed before stays: a claim that does not hold is for a person to look at.
    """
    path = os.path.join(row.source.folder, "record.toml")
    with open(path, encoding="utf-8", newline="") as stream:
        text = old = stream.read()
    record = row.source.record
    known = [record.versions, *(pattern.versions for pattern in record.patterns)]
    for number, versions in enumerate(known):
        new = {release for release, held in row.held.items() if number in held}
        if not new <= {*versions}:
            every = sorted({*versions} | new, key=_by_number)
            text = with_versions(text, every, number - 1 if number else None)
    if text != old:
        write_atomically(path, text.encode())
    return text != old


def _by_number(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
