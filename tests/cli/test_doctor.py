"""`ropeguard doctor`: 0 only if everything held, and what it says where something does not."""

import subprocess
import sys

import pytest

from ropeguard.cli import checkup, main


def without_mlx(program):
    lines = "import sys\nsys.modules['mlx.core'] = None\n" + program
    return subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, check=False
    )


def test_a_sound_installation_passes(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "kernel on cpu" in out
    assert "the same, misused" in out
    assert "[RG3439]" in out
    assert "FAILED" not in out
    assert out.endswith("everything holds\n")


def test_a_check_that_does_not_hold_is_told_and_the_others_go_on(capsys, monkeypatch):
    def broken():
        raise RuntimeError("no such device")
        yield

    monkeypatch.setattr(checkup, "CHECKS", (broken, *checkup.CHECKS))
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "FAILED broken                 RuntimeError: no such device" in out
    assert "the same, misused" in out
    assert out.endswith("not everything holds\n")


def test_an_angle_that_is_off_is_found(capsys, monkeypatch):
    exact = checkup._exact_row

    def off(position, base):
        return [value + 1e-6 for value in exact(position, base)]

    monkeypatch.setattr(checkup, "_exact_row", off)
    assert main(["doctor"]) == 1
    assert "FAILED kernel on cpu, angles" in capsys.readouterr().out


def test_without_a_backend_it_names_the_extra():
    ended = without_mlx("from ropeguard.cli import main\nsys.exit(main(['doctor']))")
    assert ended.returncode == 1
    assert "FAILED MLX" in ended.stdout
    assert "[RG6148]" in ended.stdout
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("name", ["guard", "rope_pool_fused", "ContractError"])
def test_without_a_backend_every_public_name_says_what_is_missing(name):
    ended = without_mlx(f"import ropeguard\nropeguard.{name}")
    assert ended.returncode == 1
    assert "ropeguard.RopeguardImportError: MLX cannot be imported" in ended.stderr
    assert "ropeguard[cpu]" in ended.stderr


def test_usage(capsys):
    assert main(["doctor", "--help"]) == 0
    assert main(["doctor", "now"]) == 2
    assert "usage: ropeguard doctor" in capsys.readouterr().err
