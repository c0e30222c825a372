"""`ropeguard catalogue matrix`: whether the records hold in several releases of MLX or mlx-lm."""

import json
import sys

from ropeguard.catalogue.build import without_faulty
from ropeguard.catalogue.matrix import Row, bless, concerns, rows
from ropeguard.catalogue.releases import default_cache, installed
from ropeguard.catalogue.source import load, records_folder
from ropeguard.catalogue.templates import clean
from ropeguard.cli.arguments import Options
from ropeguard.cli.output import write


def matrix(options: Options) -> int:
    """Print what each release does with each record; return 1 if one does not hold as claimed."""
    cache = options.cache or default_cache()
    releases = [installed(options.package, it, cache) for it in options.releases]
    catalogue = without_faulty(load(options.folder or records_folder()), forgiven="versions")
    sources = [
        source
        for source in catalogue.sources
        if concerns(source, options.package)
        and (options.only is None or source.record.slug in options.only)
    ]
    width = max((len(it.record.slug) for it in sources), default=0)
    drifts = blessed = 0
    for row in rows(sources, releases):
        drifts += any(row.drift.values())
        blessed += options.bless and bless(row)
        write(sys.stdout, _json(row) if options.json else _text(row, width))
        sys.stdout.flush()
    if not options.json:
        write(sys.stdout, f"{len(sources)} records, {drifts} with drift, {blessed} blessed\n")
    return 1 if drifts else 0


def _text(row: Row, width: int) -> str:
    record = row.source.record
    cells = "  ".join(f"{release} {it.kind:<7}" for release, it in row.outcomes.items())
    lines = [f"{record.id}  {record.slug:<{width}}  {cells}".rstrip()]
    for release, outcome in row.outcomes.items():
        if outcome.kind not in ("raised", "passes"):
            lines.append(f"    {release}: {clean(outcome.text)}")
        if not outcome.mended:
            lines.append(f"    {release}: after.py fails")
        lines += [f"    {release}: DRIFT: {clean(it)}" for it in row.drift[release]]
    return "\n".join(lines) + "\n"


def _json(row: Row) -> str:
    record = row.source.record
    releases = {
        release: {**outcome._asdict(), "drift": list(row.drift[release])}
        for release, outcome in row.outcomes.items()
    }
    return json.dumps({"code": record.id, "slug": record.slug, "releases": releases}) + "\n"
