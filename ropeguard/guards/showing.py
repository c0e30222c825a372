"""Show the source that was generated for a guarded function."""

import sys
from typing import Any

from ropeguard.catalogue import error
from ropeguard.guards.compiled import Compiled


def show(function: Any, /) -> None:
    """Print the source that checks a guarded function's calls.

    Where nothing is generated, async functions and generators, or where a contract can't be
    written as source, the reason is printed instead: such calls are checked all the same.

    Args:
        function: A guarded function or method.

    Raises:
        RopeguardError: It is not guarded (`guard-target-unsupported`), or a name in its
            annotations is not defined (`annotation-unresolvable`).
    """
    guarded = getattr(function, "__ropeguard__", None)
    if guarded is None:
        raise error("guard-target-unsupported", type=f"{type(function).__qualname__} unguarded")
    sys.stdout.write(source_of(guarded))


def source_of(guarded: Any) -> str:
    """Return the generated source, or a comment that says why there is none."""
    if not isinstance(guarded, Compiled):
        return "# Nothing is generated for async functions and generators.\n"
    guarded.write(None)
    return f"# {guarded.reason}\n{guarded.source}" if guarded.reason else guarded.source
