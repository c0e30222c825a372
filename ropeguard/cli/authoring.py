"""`ropeguard catalogue new | check | build`: for those who write records."""

import os
import sys
from collections.abc import Iterable

from ropeguard.catalogue import forked, programs
from ropeguard.catalogue.artefact import NAME, forget, ours
from ropeguard.catalogue.blessing import bless
from ropeguard.catalogue.build import artefact_bytes, entry_of, without_faulty
from ropeguard.catalogue.files import write_atomically
from ropeguard.catalogue.foreign import memory
from ropeguard.catalogue.programs import Runner
from ropeguard.catalogue.proof import prove
from ropeguard.catalogue.raising import RopeguardError, error
from ropeguard.catalogue.skeleton import write_skeleton
from ropeguard.catalogue.source import Catalogue, load, records_folder
from ropeguard.cli import report
from ropeguard.cli.arguments import Options
from ropeguard.cli.output import write
from ropeguard.cli.verifying import require


def new(options: Options) -> int:
    """Begin a record: its folder, an id that was never used, and what is to be filled in."""
    path = write_skeleton(_folder(options), options.origin, options.slug, options.title)
    write(sys.stdout, f"{path}\n")
    return 0


def check(options: Options) -> int:
    """Report all that is wrong with the records, and return 1 if anything is."""
    path = _folder(options)
    runner = programs.run if options.fresh else forked.run
    if options.bless:
        for slug in bless(path, options.only, runner):
            write(sys.stdout, f"blessed {slug}\n")
    catalogue = load(path)
    errors = list(catalogue.errors)
    if os.path.exists(os.path.join(path, NAME)) and not errors:
        errors += _stale(path, catalogue)
    if options.prove and not errors:
        errors += _unproved(catalogue, options.only, runner)
    for wrong in errors:
        report(wrong)
    write(sys.stdout, f"{len(catalogue.sources)} records, {len(errors)} faults\n")
    return 1 if errors else 0


def build(options: Options) -> int:
    """Write the file that `explain` reads, or say whether it is stale."""
    path = _folder(options)
    catalogue = load(path)
    for wrong in catalogue.errors:
        report(wrong)
    if catalogue.errors and not options.partial:
        raise error("catalogue-faulty", path=path, count=len(catalogue.errors))
    if options.partial:
        catalogue = without_faulty(catalogue)
    if options.check:
        for wrong in _stale(path, catalogue):
            report(wrong)
            return 1
    else:
        write_atomically(os.path.join(path, NAME), artefact_bytes(catalogue))
        forget()
    write(sys.stdout, f"{len(catalogue.sources)} records\n")
    return 0


def _folder(options: Options) -> str:
    return options.folder or records_folder()


def _stale(path: str, catalogue: Catalogue) -> list[RopeguardError]:
    built = os.path.join(path, NAME)
    try:
        with open(built, "rb") as stream:
            fresh = stream.read() == artefact_bytes(catalogue)
    except OSError:
        fresh = False
    return [] if fresh else [error("artefact-stale", path=built)]


def _unproved(
    catalogue: Catalogue, only: Iterable[str] | None, runner: Runner
) -> list[RopeguardError]:
    entries = [entry_of(source) for source in catalogue.sources]
    matcher = memory(entries, catalogue.tombstones).matcher()
    errors = []
    for entry in entries:
        if only is not None and entry["slug"] not in only:
            continue
        for step in prove(entry, matcher, ours().matcher(), runner=runner):
            try:
                require(step, entry["slug"])
            except RopeguardError as wrong:
                errors.append(wrong)
                break
    return errors
