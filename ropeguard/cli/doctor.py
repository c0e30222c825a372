"""`ropeguard doctor`: does this installation do what it promises, on the devices it has?"""

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from ropeguard.catalogue import RopeguardError
from ropeguard.cli.output import write


class Finding(NamedTuple):
    """One line of the report: what was looked at, what was found, and whether it is as it must be.

    `holds` is `None` for what is only told.
    """

    subject: str
    found: str
    holds: bool | None = None


USAGE = "usage: ropeguard doctor\n\nCheck this installation; exit 0 only if everything holds.\n"
_PACKAGES = ("mlx", "jaxtyping", "beartype", "attrs", "cattrs")
_BACKENDS = ("mlx-metal", "mlx-cpu", "mlx-cuda-12", "mlx-cuda-13")
_MARKS = {True: "ok    ", False: "FAILED", None: "      "}


def run(arguments: Sequence[str]) -> int:
    """Print the report and return the exit status: 0 only if everything held.

    Args:
        arguments: None are taken, but for `-h`.
    """
    if arguments:
        asked = arguments[0] in ("-h", "--help")
        write(sys.stdout if asked else sys.stderr, USAGE)
        return 0 if asked else 2
    held = True
    for finding in findings():
        held = held and finding.holds is not False
        write(sys.stdout, f"{_MARKS[finding.holds]} {finding.subject:<22} {finding.found}\n")
        sys.stdout.flush()
    write(sys.stdout, "everything holds\n" if held else "not everything holds\n")
    return 0 if held else 1


def findings() -> Iterator[Finding]:
    """Yield the report line by line; nothing after MLX if MLX cannot be imported."""
    yield from _versions()
    try:
        from ropeguard.cli import checkup
    except RopeguardError as missing:
        yield Finding("MLX", str(missing), False)
        return
    for check in checkup.CHECKS:
        yield from _guarded(check)


def _versions() -> Iterator[Finding]:
    from ropeguard import __version__

    yield Finding("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")
    yield Finding("ropeguard", __version__)
    for name in (*_PACKAGES, *_BACKENDS):
        try:
            yield Finding(name, version(name))
        except PackageNotFoundError:
            if name in _PACKAGES:
                yield Finding(name, "not installed", False)


def _guarded(check: Callable[[], Iterator[tuple[str, str, bool | None]]]) -> Iterator[Finding]:
    """Run one check; what it raises is its finding, and the other checks go on."""
    try:
        for finding in check():
            yield Finding(*finding)
    except Exception as failure:
        lines = str(failure).splitlines() or [""]
        yield Finding(check.__name__.strip("_"), f"{type(failure).__name__}: {lines[0]}", False)
