import json
import shutil
from pathlib import Path

import pytest

from ropeguard.catalogue import RopeguardError, look_up, open_catalogue, records_folder
from ropeguard.catalogue.foreign import extensions


def test_a_folder_of_records_is_a_catalogue(sample):
    folder = str(sample.parent.parent)
    answer = look_up("record-missing", catalogue=folder)
    assert [hit.shelf.path for hit in answer.hits] == [folder]
    assert answer.hits[0].entry["before"] == (sample / "before.py").read_text()


def test_a_faulty_folder_is_refused_whole(edited):
    folder = edited('severity = "error"', 'severity = "fatal"')
    with pytest.raises(RopeguardError) as caught:
        open_catalogue(folder)
    assert caught.value.fields["count"] == 1
    assert "`fatal`" in caught.value.details


def test_a_path_that_leads_nowhere_is_refused():
    with pytest.raises(OSError, match="RG2749"):
        open_catalogue("/nowhere/errors")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OSError, match="UTF-8"):
        open_catalogue(str(tmp_path))


def _package(tmp_path, monkeypatch, code, offered="serving_errors:offered"):
    info = tmp_path / "serving-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: serving\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ropeguard.catalogues]\nserving = {offered}")
    (tmp_path / "serving_errors.py").write_text(code)
    document = {"record": {"id": "3f1a", "slug": "pool-full", "errorMessage": "no free block"}}
    (tmp_path / "pool.json").write_text(json.dumps(document))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "serving_errors", raising=False)


@pytest.mark.parametrize(
    "code",
    [
        "from pathlib import Path\noffered = Path(__file__).with_name('pool.json')",
        "import os\ndef offered():\n    return os.path.dirname(__file__)",
    ],
)
def test_a_package_offers_a_path_or_a_function(code, tmp_path, monkeypatch):
    _package(tmp_path, monkeypatch, code)
    (found,) = extensions()
    assert not isinstance(found, RopeguardError)
    assert found.slugs == {"pool-full": "3f1a"}


@pytest.mark.parametrize("code", ["", "offered = 3", "offered = '/nowhere'", "raise SystemError"])
def test_a_package_that_offers_nothing_readable_is_reported(code, tmp_path, monkeypatch):
    _package(tmp_path, monkeypatch, code)
    (found,) = extensions()
    assert isinstance(found, RopeguardError)
    assert found.slug == "extension-unreadable"


def test_our_own_folder_is_a_catalogue_like_any_other(tmp_path):
    folder = tmp_path / "errors"
    shutil.copytree(Path(records_folder(), "catalogue"), folder / "catalogue")
    assert open_catalogue(str(folder)).code_of("usage-wrong") == "RG8425"
