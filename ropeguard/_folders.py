"""Where the catalogue's records lie: inside the package in a wheel, beside it in a checkout."""

import os


_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def folder(name: str) -> str:
    """Return the path of data folder `name`, the same in a wheel, an sdist and a checkout."""
    inside = os.path.join(_PACKAGE, name)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(_PACKAGE), name)
