"""Programs run apart, each in a process and an empty folder of its own."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple, TypeAlias

from ropeguard import _folders


SECONDS = 120


class Run(NamedTuple):
    """How a program ended: its exit status, or `None` after the time limit, and its output.

    A status below 0 is that of a process which died by a signal.
    """

    status: int | None
    output: str
    errors: str


# Takes a program, and the program whose imports that one begins with, if it runs another.
Runner: TypeAlias = Callable[[str, str], Run]


def run(program: str, inner: str = "", python: str = sys.executable) -> Run:
    """Run a program in a fresh process, in an empty folder that is removed afterwards.

    Args:
        program: The program.
        inner: The program that it runs in its turn, if it does; a fresh process need not know.
        python: The interpreter, of this environment or of another one.
    """
    with placed(program) as (path, work):
        process = subprocess.Popen(
            [python, path],
            cwd=work,
            env=environment(work, python),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(timeout=SECONDS)
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            end_all(process.pid)
            output, errors = process.communicate()
            status = None
        finally:
            end_all(process.pid)
    return Run(status, decoded(output), decoded(errors))


def end_all(session: int) -> None:
    """End every process that a program has started and left behind.

    Args:
        session: The program's process, which began a session.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):  # As a rule there is none.
            os.killpg(session, signal.SIGKILL)


@contextmanager
def placed(program: str) -> Iterator[tuple[str, str]]:
    """Write a program to a file, and give its path and an empty folder to run it in."""
    with tempfile.TemporaryDirectory(prefix="ropeguard-") as folder:
        path = os.path.join(folder, "program.py")
        work = os.path.join(folder, "work")
        os.mkdir(work)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(program)
        yield path, work


def environment(folder: str, python: str = sys.executable) -> dict[str, str]:
    """Return the environment of a program that an interpreter runs in `folder`."""
    # pytest names the test that runs: a zygote would be of that test alone.
    kept = {
        name: it for name, it in os.environ.items() if not name.startswith(("ROPEGUARD", "PYTEST_"))
    }
    for name in ("FORCE_COLOR", "PYTHONWARNINGS", "PYTHONSTARTUP", "COLUMNS"):
        kept.pop(name, None)
    home = os.path.dirname(os.path.dirname(os.path.abspath(_folders.__file__)))
    given = filter(None, kept.pop("PYTHONPATH", "").split(os.pathsep))
    paths = {"PYTHONPATH": os.pathsep.join([home, *map(os.path.abspath, given)])}
    own = {
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
        "TMPDIR": folder,
    }
    return kept | own | (paths if python == sys.executable else {})


def decoded(data: bytes | None) -> str:
    """Return what a program printed as text."""
    return (data or b"").decode("utf-8", errors="replace").replace("\r\n", "\n")
