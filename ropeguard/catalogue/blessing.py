"""Writing `expected.txt`: the error that a record's program ends in, recorded as it is."""

import os
from collections.abc import Collection, Iterator

from ropeguard.catalogue.artefact import NAME, Entry, forget
from ropeguard.catalogue.build import artefact_bytes, entry_of, without_faulty
from ropeguard.catalogue.files import write_atomically
from ropeguard.catalogue.foreign import memory
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.programs import Runner
from ropeguard.catalogue.proof import fails, last_block, outcome, quoted, runs_here, tells
from ropeguard.catalogue.raising import error
from ropeguard.catalogue.source import Catalogue, load


def bless(path: str, only: Collection[str] | None, runner: Runner) -> Iterator[str]:
    """Write `expected.txt` of the records below `path`, and return the slugs of the changed ones.

    The file that `explain` reads is built before, so that a new record's message can be raised,
    and after.

    Args:
        path: The records.
        only: The slugs of those to bless, or `None` for all.
        runner: What runs a program.
    """
    catalogue = _build(path)
    entries = [entry_of(source) for source in catalogue.sources]
    matcher = memory(entries, catalogue.tombstones).matcher()
    for source, entry in zip(catalogue.sources, entries, strict=True):
        if (only is not None and entry["slug"] not in only) or not runs_here(entry):
            continue
        expected = _outcome(entry, matcher, runner)
        if expected != source.expected:
            write_atomically(os.path.join(source.folder, "expected.txt"), expected.encode())
            yield entry["slug"]
    _build(path)


def _build(path: str) -> Catalogue:
    catalogue = without_faulty(load(path), forgiven="expected.txt")
    write_atomically(os.path.join(path, NAME), artefact_bytes(catalogue))
    forget()
    return catalogue


def _outcome(entry: Entry, matcher: Matcher, runner: Runner) -> str:
    ended = runner(entry["before"], "")
    slug = entry["slug"]
    expected = outcome(ended, entry)
    shown = quoted(last_block(ended.errors))
    failing = fails(ended, entry)
    if not failing.holds:
        raise error("before-passes", details=shown, slug=slug, problem=failing.problem)
    told = tells(ended, entry | {"expected": expected}, matcher)
    if not told.holds:
        raise error("proof-failed", details=shown, slug=slug, step="message", problem=told.problem)
    return expected
