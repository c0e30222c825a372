import json

import pytest


@pytest.fixture(name="package")
def _package(tmp_path, monkeypatch):
    """A function that installs a package which offers a catalogue."""

    def install(target):
        info = tmp_path / "serving-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Name: serving\nVersion: 1.0\n")
        points = "[ropeguard.catalogues]\nserving = serving_errors:PATH"
        (info / "entry_points.txt").write_text(points)
        (tmp_path / "serving_errors.py").write_text(f"PATH = {str(tmp_path / target)!r}")
        record = {
            "id": "3f1a",
            "slug": "serving-blocks-drained",
            "errorMessage": "no free block in the pool",
        }
        (tmp_path / "pool.json").write_text(json.dumps({"record": record}))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(__import__("sys").modules, "serving_errors", raising=False)

    return install


def test_what_ours_lacks_an_installed_package_answers(package, command):
    package("pool.json")
    for query in ("serving-blocks-drained", "RuntimeError: no free block in the pool"):
        assert command("explain", query).out.startswith("3f1a  serving-blocks-drained")
    assert command("explain", "RG4270").out.startswith("RG4270")
    assert "3f1a\tserving-blocks-drained" in command("list").out


def test_a_broken_catalogue_of_a_package_is_reported_and_passed_over(package, command):
    package("missing.json")
    ended = command("explain", "serving-blocks-drained")
    assert ended.status == 1
    assert "[RG8639]" in ended.err
    assert "[RG7052]" in ended.err
    listed = command("list")
    assert listed.status == 0
    assert "[RG8639]" in listed.err
    assert "RG4270" in listed.out


def test_a_code_of_ours_asks_no_package(package, command, monkeypatch):
    package("missing.json")
    ended = command("explain", "RG4270")
    assert (ended.status, ended.err) == (0, "")
