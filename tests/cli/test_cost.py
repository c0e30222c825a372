"""What a look-up may import and cost, read off processes of their own."""

import os
import resource
import subprocess
import sys

import pytest


HEAVY = {"mlx", "jaxtyping", "beartype", "attr", "attrs", "cattrs", "tomllib", "numpy"}
# Each is dear, and none is needed to print a page.
DEAR = {"typing", "dataclasses", "importlib.metadata", "pathlib", "shutil", "subprocess", "difflib"}
TEXT = "ropeguard has no public name `gaurd`"


def _imported(*command):
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True
    )
    lines = [line for line in ended.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def _tops(modules):
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("query", ["RG4270", "public-name-unknown", TEXT])
@pytest.mark.parametrize("options", [[], ["--full"], ["--json"], ["--example", "before"]])
def test_a_look_up_imports_nothing_heavy(query, options):
    imported = _imported("-m", "ropeguard", "explain", query, *options)
    assert "ropeguard.catalogue.artefact" in imported
    assert _tops(imported) & HEAVY == set()


def test_a_look_up_by_code_imports_nothing_dear():
    bare = _imported("-c", "import re, json, argparse")
    run = "from ropeguard.cli import main; main(['explain', 'RG4270'])"
    assert (_imported("-c", run) - bare) & DEAR == set()


@pytest.mark.parametrize("module", ["mlx.core", "attrs", "tomllib", "typing"])
def test_the_reading_of_imports_can_fail(module):
    run = f"import {module}\nfrom ropeguard.cli import main\nmain(['explain', 'RG4270'])"
    imported = _imported("-c", run)
    assert (_tops(imported) & HEAVY) or (imported & DEAR)


def test_a_look_up_reads_one_line_of_the_records(monkeypatch):
    from ropeguard.catalogue import entry
    from ropeguard.catalogue.artefact import ours

    read = []
    real = type(ours())._read

    def counted(self, offset, length):
        read.append(length)
        return real(self, offset, length)

    monkeypatch.setattr(type(ours()), "_read", counted)
    entry("RG4270")
    assert read == [ours().codes["RG4270"][1]]


def _cost(command, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_look_up_costs_little_more_than_its_imports(tmp_path):
    """The least of many runs, one after the other, so that a busy machine slows both alike."""
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    run = "import sys; from ropeguard.cli import main; sys.exit(main(['explain', 'RG4270']))"
    commands = {
        "floor": [sys.executable, "-c", "import re, json, argparse"],
        "explain": [sys.executable, "-c", run],
    }
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(25):
        for name, command in commands.items():
            least[name] = min(least[name], _cost(command, environment))
    assert least["explain"] <= 1.5 * least["floor"]
