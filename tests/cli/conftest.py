import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ropeguard.catalogue import records_folder
from ropeguard.catalogue.artefact import forget
from ropeguard.cli import main


# Makes what measures the matcher importable.
sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))


class Ended:
    """How a command ended."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = err


@pytest.fixture(name="command")
def _command(capfd, monkeypatch):
    """A function that runs the command in this process, with stdin if text is given."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PAGER"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments):
        status = main([str(it) for it in arguments])
        out, err = capfd.readouterr()
        return Ended(status, out, err)

    return run


@pytest.fixture(name="process")
def _process():
    """A function that runs the command in a process of its own, with bytes on stdin."""

    def run(*arguments, stdin=b"", **options):
        return subprocess.run(
            [sys.executable, "-m", "ropeguard", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            check=False,
            timeout=60,
            **options,
        )

    return run


@pytest.fixture(name="errors")
def _errors(tmp_path):
    """A folder of records with one sound record in it."""
    sample = Path(records_folder(), "catalogue", "record-missing")
    shutil.copytree(sample, tmp_path / "errors" / "catalogue" / "record-missing")
    return tmp_path / "errors"


@pytest.fixture(autouse=True)
def _fresh_headers():
    forget()
    yield
    forget()
