"""`ropeguard catalogue sites | coverage | compare`: where other packages raise."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterable

from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.comparing import Change, changes
from ropeguard.catalogue.coverage import Covered, covered, has_words
from ropeguard.catalogue.extracting import sites_in
from ropeguard.catalogue.files import write_atomically
from ropeguard.catalogue.raising import entries
from ropeguard.catalogue.sites import Site, gathered, kept, lines, read
from ropeguard.catalogue.source import records_folder
from ropeguard.catalogue.templates import clean
from ropeguard.cli.arguments import Options
from ropeguard.cli.output import write


_COLUMNS = ("sites", "reachable", "worded", "recorded", "executed", "device")


def sites(options: Options) -> int:
    """Write the raise sites of a source tree or an installed package."""
    reasons = read(options.reasons) if options.reasons else []
    text = lines(gathered(sites_in(options.path, options.package), reasons))
    if options.out is None:
        write(sys.stdout, text)
    else:
        write_atomically(options.out, text.encode())
    return 0


def coverage(options: Options) -> int:
    """Print for each source file how many of its raise sites lead to a record."""
    path = options.sites or kept(options.package, records_folder())
    rows = [*covered(read(path), entries(), ours().matcher())]
    if options.missing:
        for row in rows:
            if row.code is None and not row.site.unreachable and has_words(row.site):
                write(sys.stdout, _line(row.site) + "\n")
        return 0
    by_file = defaultdict(list)
    for row in rows:
        by_file[row.site.file].append(row)
    width = max(map(len, by_file), default=0)
    table = [("file", _COLUMNS), *((file, _counts(it)) for file, it in by_file.items())]
    for name, cells in [*table, ("total", _counts(rows))]:
        numbers = "".join(f"{cell:>11}" for cell in cells)
        write(sys.stdout, f"{name:<{width}}{numbers}\n")
    return 0


def _counts(rows: Iterable[Covered]) -> tuple[int, ...]:
    """Return the numbers of the columns; each but the first is of what the one before counts."""
    counts = dict.fromkeys(_COLUMNS, 0)
    for row in rows:
        reachable = not row.site.unreachable
        worded = reachable and has_words(row.site)
        holds = {
            "sites": True,
            "reachable": reachable,
            "worded": worded,
            "recorded": worded and row.code is not None and row.device is None,
            "executed": worded and row.is_executed,
            "device": row.device is not None,
        }
        for name, it in holds.items():
            counts[name] += row.site.count * it
    return tuple(counts.values())


def compare(options: Options) -> int:
    """Print what became of the messages of one release in another; return 1 if a record is hit."""
    old, new = (_sites_of(path, options.package) for path in (options.old, options.new))
    known, matcher = entries(), ours().matcher()

    def code_of(site: Site) -> str | None:
        return next(covered([site], known, matcher)).code

    found = [*changes(old, new, code_of)]
    for change in found:
        write(sys.stdout, _change(change))
    hit = sum(change.matters for change in found)
    write(sys.stdout, f"{len(found)} differences, {hit} of them in recorded messages\n")
    return 1 if hit else 0


def _sites_of(path: str, package: str) -> list[Site]:
    return gathered(sites_in(path, package)) if os.path.isdir(path) else read(path)


def _change(change: Change) -> str:
    first = change.old or change.new
    if first is None:
        return ""
    mark = "!" if change.matters else " "
    record = f"  [{change.code or change.kept}]" if change.code or change.kept else ""
    text = f"{mark} {change.kind:<9} {_line(first)}{record}\n"
    if change.old and change.new:
        text += f"  {'now':<9} {_line(change.new)}\n"
    return text


def _line(site: Site) -> str:
    return clean(f"{site.file}  {site.exception}: {site.template}")
