"""The project as a whole: layers, types, style, and what a wheel brings."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


ROOT = Path(__file__).parents[1]


def run(*command, cwd=ROOT, env=None):
    ended = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def tool(name):
    return str(Path(sys.executable).with_name(name))


def test_imports_go_downwards():
    assert "0 broken" in run(tool("lint-imports"))


def test_types_hold():
    run(sys.executable, "-m", "mypy")


def test_style_holds():
    run(sys.executable, "-m", "ruff", "check", ".")
    run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_no_file_names_are_traps():
    """A module named like a data folder or a public function would shadow it."""
    import ropeguard

    names = {path.stem for path in (ROOT / "ropeguard").iterdir() if path.stem != "__init__"}
    assert not names & {"errors", "metal"}
    assert not names & set(ropeguard.__all__)


@pytest.fixture(name="wheel", scope="module")
def _wheel(tmp_path_factory):
    """Build a wheel from an sdist, as an index would serve it."""
    out = tmp_path_factory.mktemp("dist")
    build = "from hatchling.build import build_{0} as build; print(build(r'{1}'))"
    name = run(sys.executable, "-c", build.format("sdist", out)).split()[-1]
    run("tar", "-xzf", str(out / name), "-C", str(out))
    source = out / name.removesuffix(".tar.gz")
    built = run(sys.executable, "-c", build.format("wheel", out), cwd=source)
    return out / built.split()[-1]


def test_a_wheel_brings_the_catalogue_the_kernel_and_the_types(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path)
    assert {"ropeguard/py.typed", "ropeguard/catalogue/document.schema.json"} <= names
    assert {f"ropeguard/metal/{path.name}" for path in (ROOT / "metal").iterdir()} <= names
    assert not [name for name in names if "errors/sites" in name]
    records = {str(path.parent.relative_to(ROOT)) for path in ROOT.glob("errors/*/*/record.toml")}
    assert records
    assert records <= {os.path.dirname(name).removeprefix("ropeguard/") for name in names}
    program = (
        "import ropeguard, contextlib, io\n"
        f"assert ropeguard.__file__.startswith({str(tmp_path)!r})\n"
        "from ropeguard.catalogue import entries\nfrom ropeguard.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()) as out:\n"
        "    status = [main(['explain', entry['code']]) for entry in entries()]\n"
        "print(len(status), sum(status))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    out = run(sys.executable, "-c", program, cwd=tmp_path, env=environment)
    assert out.split() == [str(len(records)), "0"]


def test_importing_ropeguard_imports_nothing_else():
    program = (
        "import sys, ropeguard\n"
        "print([m for m in ('mlx', 'jaxtyping', 'beartype', 'attrs', 'json') if m in sys.modules])"
    )
    assert run(sys.executable, "-c", program).strip() == "[]"
