"""The command `ropeguard`: explain an error, list errors, check an installation, keep records."""

import os
import sys
from collections.abc import Sequence

from ropeguard.catalogue.raising import RopeguardError


# Exit statuses; every other error is 2: it could not be done as it was asked.
_STATUS = {
    "code-unknown": 1,
    "text-unknown": 1,
    "artefact-stale": 1,
    "catalogue-faulty": 1,
    "text-ambiguous": 3,
    "proof-failed": 4,
    "before-passes": 4,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Args:
        argv: The arguments, by default those of the process.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except RopeguardError as wrong:
        report(wrong)
        return _STATUS.get(wrong.slug, 2)
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter must not flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    except SystemExit as ended:  # `--help` and `--version` end so
        return int(ended.code or 0)
    return status


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["doctor"]:
        from ropeguard.cli.doctor import run

        return run(arguments[1:])
    from ropeguard.cli.arguments import parse

    options = parse(arguments)
    status: int = options.action(options)
    return status


def report(wrong: RopeguardError) -> None:
    """Print an error to stderr, with the command that explains it."""
    from ropeguard.cli.output import write

    hint = f"  hint: `ropeguard explain {wrong.code}` says why and what to do"
    write(sys.stderr, f"ropeguard: {wrong}\n{hint}\n")
