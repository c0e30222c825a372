"""What the command prints: colours, width, encoding and paging, as the terminal wants them."""

from __future__ import annotations

import os
import sys

from ropeguard.catalogue.pages import Style


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


_NARROW, _PIPED, _WIDE = 60, 80, 100
_ASCII = str.maketrans({"\N{MIDDLE DOT}": "-"})


def style(color: str, full: bool = False) -> Style:
    """Return how a page on stdout is to look."""
    return Style(width=_width(sys.stdout), colour=_has_colour(color, sys.stdout), full=full)


def _has_colour(color: str, stream: TextIO) -> bool:
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def _width(stream: TextIO) -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return min(max(int(columns), _NARROW), _WIDE)
    return min(max(_size(stream)[0], _NARROW), _WIDE)


def _size(stream: TextIO) -> tuple[int, int]:
    try:
        return os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return _PIPED, 0


def show(text: str, pager: bool) -> None:
    """Print `text` to stdout, through a pager where it is longer than the screen."""
    lines = _size(sys.stdout)[1]
    if pager and _may_page() and text.count("\n") >= lines > 0 and _page(text):
        return
    write(sys.stdout, text)


def _may_page() -> bool:
    terminal = sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty()
    return terminal and os.environ.get("TERM") != "dumb"


def _page(text: str) -> bool:
    import shlex
    import subprocess

    command = shlex.split(os.environ.get("PAGER", "less -R"))
    if not command:
        return False
    try:
        data = text.encode(sys.stdout.encoding, errors="backslashreplace")
        subprocess.run(command, input=data, check=False)
    except OSError:
        return False
    return True


def write(stream: TextIO, text: str) -> None:
    """Write `text`, in ASCII where the stream's encoding is not a Unicode one."""
    encoding = (getattr(stream, "encoding", None) or "utf-8").lower()
    if not encoding.startswith("utf"):
        text = text.translate(_ASCII).encode("ascii", errors="backslashreplace").decode("ascii")
    stream.write(text)
