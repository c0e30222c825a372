import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import attrs
import pytest

from ropeguard.catalogue import RopeguardError, load, records_folder, releases
from ropeguard.catalogue.build import entry_of
from ropeguard.catalogue.matrix import bless, concerns, outcome_of, rows
from ropeguard.catalogue.programs import Run
from ropeguard.catalogue.releases import Release, installed, wording_of
from ropeguard.cli import main


SLUG = "transpose-axes-count"
HERE = Release("mlx", version("mlx"), sys.executable)


@pytest.fixture(name="errors")
def _errors(tmp_path):
    """A folder of records with one of MLX in it."""
    shutil.copytree(Path(records_folder(), "mlx", SLUG), tmp_path / "errors" / "mlx" / SLUG)
    return tmp_path / "errors"


@pytest.fixture(name="source")
def _source(errors):
    source = load(str(errors)).sources[0]
    assert (
        source.record.message
        == "[transpose] Received {given} axes for array with {ndim} dimensions."
    )
    return _claiming(source, [HERE.version], [])


def _claiming(source, versions, *patterns):
    """Return a record that claims these releases for its message and for its patterns."""
    kept = tuple(
        attrs.evolve(pattern, versions=tuple(claimed))
        for pattern, claimed in zip(source.record.patterns, patterns, strict=False)
    )
    record = attrs.evolve(source.record, versions=tuple(versions), patterns=kept)
    return attrs.evolve(source, record=record)


def _traceback(line):
    return f"Traceback (most recent call last):\n  File 'x.py', line 1\n{line}\n"


@pytest.mark.parametrize(
    ("before", "kind", "templates", "text"),
    [
        (
            Run(
                1,
                "",
                _traceback("ValueError: [transpose] Received 2 axes for array with 3 dimensions."),
            ),
            "raised",
            (0,),
            None,
        ),
        (
            Run(
                1,
                "",
                _traceback("ValueError: [transpose] Recived 2 axes for array with 3 dimensions."),
            ),
            "raised",
            (1,),
            None,
        ),
        (
            Run(1, "", _traceback("ValueError: [transpose] 2 axes, 3 dimensions")),
            "differs",
            (),
            "ValueError: [transpose] 2 axes, 3 dimensions",
        ),
        (Run(0, "done\n", ""), "passes", (), ""),
        (Run(None, "", ""), "late", (), ""),
        (Run(-11, "", ""), "differs", (), "it died by signal 11"),
        (
            Run(1, "", _traceback("ModuleNotFoundError: No module named 'mlx.x'")),
            "missing",
            (),
            None,
        ),
        (
            Run(1, "", _traceback("AttributeError: module 'mlx.core' has no attribute 'x'")),
            "missing",
            (),
            None,
        ),
        (
            Run(1, "", _traceback("AttributeError: 'int' object has no attribute 'x'")),
            "differs",
            (),
            None,
        ),
    ],
)
def test_what_a_release_does_is_told_apart(before, kind, templates, text, source):
    entry = entry_of(source)
    ends = {entry["before"]: before, entry["after"]: Run(0, "", "")}
    outcome = outcome_of(entry, lambda program, inner: ends[program])
    assert (outcome.kind, outcome.templates, outcome.mended) == (kind, templates, True)
    assert text is None or outcome.text == text


def test_a_record_that_holds_has_no_drift(source):
    (row,) = rows([source], [HERE])
    assert row.outcomes[HERE.version].kind == "raised"
    assert row.outcomes[HERE.version].mended
    assert row.drift == {HERE.version: []}


def test_a_claim_that_does_not_hold_is_a_drift(source):
    renamed = attrs.evolve(source.record, message="[transpose] Got {given} axes of {ndim}.")
    (row,) = rows([attrs.evolve(source, record=renamed)], [HERE])
    drift = row.drift[HERE.version]
    assert drift[0].startswith(
        "the message is claimed, but before.py differs: ValueError: [transpose]"
    )
    assert drift[1:] == ["the message is claimed, but its text is not in the release"]


def test_a_fix_that_fails_is_a_drift(source):
    (row,) = rows([attrs.evolve(source, after=source.before)], [HERE])
    assert row.drift[HERE.version] == ["the message is claimed, but after.py fails"]


def test_a_pattern_whose_text_is_in_no_file_is_a_drift(source):
    (row,) = rows([_claiming(source, [HERE.version], [HERE.version])], [HERE])
    assert row.drift[HERE.version] == ["pattern 1 is claimed, but its text is not in the release"]


def test_what_is_not_claimed_is_no_drift(source):
    silent = attrs.evolve(_claiming(source, ["0.1.0"], ["0.1.0"]), before="print()")
    (row,) = rows([silent], [HERE])
    assert row.outcomes[HERE.version].kind == "passes"
    assert row.drift == {HERE.version: []}


def test_blessing_adds_what_was_raised_and_keeps_what_was_claimed(source, errors):
    path = errors / "mlx" / SLUG / "record.toml"
    before = path.read_text()
    (row,) = rows([_claiming(source, ["0.1.0"], ["0.32.2"])], [HERE])
    assert bless(row)
    assert path.read_text() == before.replace(
        before.partition("versions = ")[2].partition("\n")[0], f'["0.1.0", "{HERE.version}"]', 1
    )
    (row,) = rows(load(str(errors)).sources, [HERE])
    assert not bless(row)


@pytest.mark.parametrize(
    ("message", "held"),
    [("[reshape] Cannot reshape array", {0, 1}), ("[transpose] Got {given} axes", {1})],
)
def test_a_message_that_stands_in_the_release_counts_beside_a_raised_pattern(message, held, source):
    pattern = attrs.evolve(source.record.patterns[0], template=source.record.message)
    record = attrs.evolve(source.record, message=message, patterns=(pattern,))
    (row,) = rows([attrs.evolve(source, record=record)], [HERE])
    assert row.outcomes[HERE.version].templates == (1,)
    assert row.held[HERE.version] == held


def test_records_of_other_packages_and_devices_are_left_out(source):
    assert concerns(source, "mlx")
    assert not concerns(source, "mlx-lm")
    for change in ({"origin": "guard"}, {"device": "metal"}, {"exception": "nothing"}):
        record = attrs.evolve(source.record, **change)
        assert not concerns(attrs.evolve(source, record=record), "mlx")


def test_a_text_is_found_whole_or_in_pieces_that_are_not_short():
    wording = wording_of(HERE)
    assert wording.has("[transpose] Received ")
    assert wording.has("[transpose] Received  axes for array with ")
    assert not wording.has("[transpose] Recived ")
    assert not wording.has("qzx")


@pytest.mark.parametrize(("claimed", "status"), [(HERE.version, 0), ("0.1.0", 0)])
def test_the_command_prints_a_row_for_each_record(claimed, status, errors, capsys):
    path = errors / "mlx" / SLUG / "record.toml"
    text = path.read_text()
    path.write_text(
        text.replace(text.partition("versions = ")[2].partition("\n")[0], f'["{claimed}"]', 1)
    )
    task = ["catalogue", "matrix", str(errors), "--releases", HERE.version]
    assert main(task) == status
    assert capsys.readouterr().out.splitlines() == [
        f"RG3677  {SLUG}  {HERE.version} raised",
        "1 records, 0 with drift, 0 blessed",
    ]
    assert main([*task, "--json", "--only", SLUG]) == status
    assert '"kind": "raised", "templates": [0]' in capsys.readouterr().out


def test_a_drift_is_told_and_makes_the_command_fail(errors, capsys):
    path = errors / "mlx" / SLUG / "record.toml"
    path.write_text(path.read_text().replace("Received {given}", "Got {given}"))
    assert main(["catalogue", "matrix", str(errors), "--releases", HERE.version, "--bless"]) == 1
    out = capsys.readouterr().out
    assert f"    {HERE.version}: DRIFT: the message is claimed" in out
    assert out.endswith("1 records, 1 with drift, 0 blessed\n")


def test_a_release_is_installed_once(tmp_path, monkeypatch):
    commands = []
    monkeypatch.setattr(releases, "_execute", commands.append)
    for _ in range(2):
        release = installed("mlx", "0.9.99", str(tmp_path))
    assert release.python.startswith(str(tmp_path / "mlx-0.9.99-python"))
    assert [it[1:3] for it in commands] == [["-m", "venv"], ["-m", "pip"]]
    assert commands[1][-2:] == ["mlx[cpu]==0.9.99", "numpy"]
    assert installed("mlx", HERE.version, str(tmp_path)) == HERE


def test_what_pip_says_is_the_reason(tmp_path, monkeypatch):
    def refuse(command):
        said = "Looking\nERROR: No matching distribution found for mlx\nWARNING: old pip\n"
        raise subprocess.CalledProcessError(1, command, stderr=said)

    monkeypatch.setattr(releases, "_execute", refuse)
    for _ in range(2):
        with pytest.raises(
            RopeguardError, match="cannot be installed: ERROR: No matching"
        ) as caught:
            installed("mlx", "0.9.99", str(tmp_path))
        assert caught.value.code == "RG3617"
