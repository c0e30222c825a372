"""The raise sites in a source tree of a package, or in its installed Python files."""

import os
from collections.abc import Callable, Container, Iterator

from ropeguard.catalogue.cpp_sites import sites_of_cpp
from ropeguard.catalogue.python_sites import sites_of_python
from ropeguard.catalogue.raising import error
from ropeguard.catalogue.sites import Site


# For each package, the folders of its repository that are compiled or installed.
FOLDERS = {"mlx": ("mlx", "python/src", "python/mlx"), "mlx-lm": ("mlx_lm",)}
# What the installed folder is in the repository.
_INSTALLED = {"mlx": ("mlx", "python/mlx"), "mlx-lm": ("mlx_lm", "mlx_lm")}
_READERS: dict[str, Callable[[str, str], Iterator[Site]]] = {
    ".py": sites_of_python,
    **dict.fromkeys((".cpp", ".h", ".hpp", ".cu", ".cuh", ".mm"), sites_of_cpp),
}


def sites_in(path: str, package: str) -> Iterator[Site]:
    """Return the sites of a package.

    Args:
        path: The root of a source tree, or the installed package's own folder.
        package: The package, by its name on the index.
    """
    folders = [folder for folder in FOLDERS[package] if os.path.isdir(os.path.join(path, folder))]
    module, original = _INSTALLED[package]
    is_installed = os.path.basename(os.path.abspath(path)) == module and len(folders) < 2
    pairs = [(path, original)] if is_installed else [(os.path.join(path, it), it) for it in folders]
    found = False
    for top, name in pairs:
        for file in _files(top, _READERS if len(folders) > 1 else (".py",)):
            found = True
            with open(file, encoding="utf-8", errors="replace") as stream:
                place = f"{name}/{os.path.relpath(file, top).replace(os.sep, '/')}"
                yield from _READERS[os.path.splitext(file)[1]](stream.read(), place)
    if not found:
        reason = f"it holds no source file of {package}"
        raise error("catalogue-unreadable", path=path, reason=reason)


def _files(top: str, suffixes: Container[str]) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            if os.path.splitext(name)[1] in suffixes:
                yield os.path.join(folder, name)
