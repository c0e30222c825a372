"""The places where a release of another package raises, with the messages that they can give."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from ropeguard.catalogue.raising import error


FOLDER = "sites"
HOLE = "{}"
# What a path says of who can reach the sites below it.
_PATHS = {
    "mlx/backend/cuda/": "needs a CUDA device",
    "mlx/backend/gpu/": "needs a GPU",
    "mlx/backend/metal/": "needs a Metal device",
    "mlx/backend/no_cpu/": "a build without a CPU",
    "mlx/distributed/(jaccl|mpi|nccl|ring)/(?!no_)": "needs other processes or hosts",
    "mlx/io/no_": "a build without that format",
}


@attrs.frozen(order=True)
class Site:
    """Places of one file that raise one message.

    Attributes:
        file: The file, as the package's repository names it.
        template: The message, with `{}` for what is put in, and braces of its own doubled.
        exception: The exception that a caller sees.
        count: How many places there are.
        unreachable: Why no program on a CPU can get it, or nothing if one can.
    """

    file: str
    template: str
    exception: str
    count: int = 1
    unreachable: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What a site is told apart by."""
        return self.file, self.template, self.exception


def gathered(sites: Iterable[Site], reasons: Iterable[Site] = ()) -> list[Site]:
    """Return sites in order, equal ones as one, with what is known of who can reach them.

    Args:
        sites: The sites.
        reasons: Sites of another release, whose reasons hold for equal ones of this.
    """
    known = {site.key: site.unreachable for site in reasons}
    counts: Counter[tuple[str, str, str]] = Counter()
    for site in sites:
        counts[site.key] += site.count
    return sorted(
        Site(*key, count, known.get(key) or _by_path(key[0])) for key, count in counts.items()
    )


def _by_path(file: str) -> str | None:
    return next((reason for path, reason in _PATHS.items() if re.match(path, file)), None)


def lines(sites: Iterable[Site]) -> str:
    """Return sites as JSON Lines, without what is as usual."""
    rows = (
        attrs.asdict(site, filter=lambda field, value: value != field.default) for site in sites
    )
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )


def read(path: str) -> list[Site]:
    """Return the sites in a file that `lines` made."""
    try:
        with open(path, encoding="utf-8") as stream:
            return list(_parsed(stream, path))
    except OSError as cause:
        raise error("catalogue-unreadable", path=path, reason=cause.strerror) from cause


def _parsed(stream: Iterable[str], path: str) -> Iterator[Site]:
    for number, line in enumerate(stream, 1):
        try:
            yield Site(**json.loads(line))
        except (ValueError, TypeError) as cause:
            problem = f"line {number} is no raise site: {cause}"
            raise error("json-syntax", path=path, problem=problem) from cause


def kept(package: str, folder: str) -> str:
    """Return the file of the newest release of a package whose sites are kept with the records."""
    place = os.path.join(folder, FOLDER)
    try:
        names = os.listdir(place)
    except OSError as cause:
        raise error("catalogue-unreadable", path=place, reason=cause.strerror) from cause
    of_package = {
        name: [int(it) for it in name[len(package) + 1 : -6].split(".")]
        for name in names
        if name.startswith(f"{package}-")
        and name[len(package) + 1 : -6].replace(".", "").isdecimal()
    }
    if not of_package:
        path = os.path.join(place, f"{package}-*.jsonl")
        raise error("catalogue-unreadable", path=path, reason="no such file")
    return os.path.join(place, max(of_package, key=lambda name: of_package[name]))
