"""Environments with one release of a package each, made once and kept in a cache folder."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from ropeguard.catalogue.raising import error


# What brings a release of a package, with what the records' programs import besides.
_REQUIREMENTS = {
    "mlx": ("mlx[cpu]=={release}", "numpy"),
    "mlx-lm": ("mlx-lm=={release}", "mlx[cpu]", "numpy"),
}
_MODULES = {"mlx": "mlx", "mlx-lm": "mlx_lm"}
_DONE = "complete"
_FOLDERS = """
import importlib.util
import sys

print(*importlib.util.find_spec(sys.argv[1]).submodule_search_locations, sep="\\n")
"""
_SHORTEST = 6
# In a library, what can be a text, and is not the mangled name of a function or type.
_TEXT = re.compile(rb"(?![*_]{0,2}(?:Z|N\d))[\t\n\r -~\x80-\xff]{4,}")
_LETTER = re.compile(rb"[A-Za-z]")


class Release(NamedTuple):
    """A release of a package, and an interpreter that imports it."""

    package: str
    version: str
    python: str


def default_cache() -> str:
    """Return the folder in which environments are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "ropeguard", "releases")


def installed(package: str, release: str, cache: str) -> Release:
    """Return a release, installed in an environment of its own unless it is the one in use here.

    Args:
        package: The package, by its name on the index.
        release: Its version.
        cache: The folder of the environments.
    """
    if _version_here(package) == release:
        return Release(package, release, sys.executable)
    tag = f"{package}-{release}-python{sys.version_info[0]}.{sys.version_info[1]}"
    folder = os.path.join(os.path.abspath(cache), tag)
    python = os.path.join(folder, "bin", "python")
    done = os.path.join(folder, _DONE)
    if not os.path.exists(done):
        wanted = [it.format(release=release) for it in _REQUIREMENTS[package]]
        try:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            _execute([sys.executable, "-m", "venv", folder])
            _execute([python, "-m", "pip", "install", "--quiet", *wanted])
        except (OSError, subprocess.SubprocessError) as cause:
            reason = getattr(cause, "strerror", None) or _last_line(cause)
            raise error(
                "release-uninstallable", package=package, release=release, reason=reason
            ) from cause
        with open(done, "w", encoding="utf-8"):
            pass
    return Release(package, release, python)


def _version_here(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _execute(command: list[str]) -> str:
    # The environment must not see the packages of this one.
    bare = {name: it for name, it in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=bare).stdout


def _last_line(cause: BaseException) -> str:
    lines = (getattr(cause, "stderr", None) or str(cause)).strip().splitlines()
    return next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1])


class Wording:
    """The strings in the files of a release: Python's and those in its libraries."""

    def __init__(self, release: Release) -> None:
        module = _MODULES[release.package]
        folders = _execute([release.python, "-c", _FOLDERS, module]).splitlines()
        self._data = b"\n".join(_contents(folders))

    def has(self, literal: str) -> bool:
        """Return whether a text can be put together from strings of the release.

        A message that is written piece by piece stands there in pieces: of whole words, and short
        ones only for a small part of it.
        """
        rest = literal.encode()
        if self.has_whole(literal):
            return True
        short = len(rest) / 5
        while rest:
            length = self._longest(rest)
            while 0 < length < len(rest) and rest[length - 1 : length + 1].isalpha():
                length -= 1
            piece, rest = rest[:length], rest[length:]
            if len(piece) < _SHORTEST and _LETTER.search(piece):
                short -= len(piece)
            if not piece or (short < 0 and len(literal) > _SHORTEST):
                return False
        return True

    def has_whole(self, literal: str) -> bool:
        """Return whether a text stands in a string of the release."""
        return literal.encode() in self._data

    def _longest(self, sought: bytes) -> int:
        least, most = 0, len(sought)
        while least < most:
            middle = (least + most + 1) // 2
            least, most = (middle, most) if sought[:middle] in self._data else (least, middle - 1)
        return least


def _contents(folders: Iterable[str]) -> Iterable[bytes]:
    for top in folders:
        for folder, _, names in os.walk(top):
            for name in names:
                read = _READERS.get(os.path.splitext(name)[1])
                if read is not None:
                    with open(os.path.join(folder, name), "rb") as stream:
                        yield b"\0".join(dict.fromkeys(read(stream.read())))


@cache
def wording_of(release: Release) -> Wording:
    """Return the strings of a release, which are read once."""
    return Wording(release)


def _strings(data: bytes) -> list[bytes]:
    """Return a Python file, whose lines a traceback shows, and its strings, each in one piece."""
    nodes = ast.walk(ast.parse(data))
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    return [data, *(it.encode(errors="replace") for it in texts if isinstance(it, str))]


_READERS: dict[str, Callable[[bytes], Iterable[bytes]]] = {
    ".py": _strings,
    ".so": _TEXT.findall,
    ".dylib": _TEXT.findall,
}
