"""What the README and the docs say, run as a newcomer would."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest


ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


PROGRAMS = [
    pytest.param(page.name, program, id=f"{page.name}-{number}")
    for page in PAGES
    for number, program in enumerate(blocks(page, "python"))
]


def run(program):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("page", "program"), PROGRAMS)
def test_the_programs_of_the_docs_run(page, program):
    ended = run(program)
    if page == "README.md" and program == blocks(ROOT / "README.md", "python")[0]:
        assert ended.stderr.endswith(blocks(ROOT / "README.md", "text")[0])
    else:
        assert ended.returncode == 0, ended.stderr


def test_the_kernel_of_the_readme_keeps_what_it_says():
    assert run(blocks(ROOT / "README.md", "python")[1]).stdout == (
        "array(True, dtype=bool) array(False, dtype=bool)\n"
    )


def test_the_commands_of_the_readme_answer_what_it_shows():
    found = []
    for page in (ROOT / "README.md", ROOT / "docs" / "catalogue.md"):
        for block in blocks(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE):
                command, _, shown = part.partition("\n")
                if command.startswith("ropeguard ") and " | " not in command:
                    found.append(command)
                    answer = _answer(shlex.split(command)[1:])
                    assert all(line in answer for line in shown.splitlines()), command
    assert len(found) == 6


def _answer(arguments):
    ended = subprocess.run(
        [sys.executable, "-m", "ropeguard", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
    return ended.stdout.splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_files_named_in_the_docs_exist(page):
    text = page.read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (page.parent / target).exists(), target
    for name in re.findall(r"`((?:tests|ropeguard|errors|docs)/[\w./]+\.\w+)`", text):
        assert (ROOT / name).exists(), name


def test_every_version_is_the_same():
    import ropeguard

    declared = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert declared
    assert declared[1] == ropeguard.__version__
