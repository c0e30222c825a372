import shutil
import subprocess
from pathlib import Path

import pytest

from ropeguard.catalogue import load, records_folder
from ropeguard.catalogue.artefact import opened, ours
from ropeguard.catalogue.build import artefact_bytes
from ropeguard.catalogue.skeleton import free_id


STONE = """
[[tombstones]]
id = "{id}"
slug = "{slug}"
version = "0.2.0"
reason = "merged into another record"
"""


def _errors(folder):
    return [it.slug for it in load(str(folder)).errors]


def _second(sample, slug="record-lost", code="RG1001"):
    place = sample.with_name(slug)
    shutil.copytree(sample, place)
    text = (place / "record.toml").read_text()
    text = text.replace('slug = "record-missing"', f'slug = "{slug}"').replace("RG5278", code)
    (place / "record.toml").write_text(text)
    return place


def test_two_sound_records_are_no_error(sample):
    _second(sample)
    assert _errors(sample.parent.parent) == []


def test_an_id_is_used_once(sample):
    _second(sample, code="RG5278")
    assert _errors(sample.parent.parent) == ["id-duplicate"]


def test_the_id_of_a_removed_record_is_not_used_again(sample):
    stones = sample.parent.parent / "tombstones.toml"
    stones.write_text(STONE.format(id="RG5278", slug="record-gone"))
    assert _errors(sample.parent.parent) == ["id-reused"]


@pytest.mark.parametrize("name", ["record-missing", "record-gone"])
def test_an_alias_is_no_name_of_another_record(sample, name):
    stones = sample.parent.parent / "tombstones.toml"
    stones.write_text(STONE.format(id="RG1002", slug="record-gone"))
    path = _second(sample) / "record.toml"
    path.write_text(path.read_text().replace("ops = []", f'ops = []\naliases = ["{name}"]'))
    assert _errors(sample.parent.parent) == ["slug-duplicate"]


def test_references_lead_to_records(sample):
    path = _second(sample) / "record.toml"
    path.write_text(path.read_text().replace("related = []", 'related = ["record-gone"]'))
    stones = sample.parent.parent / "tombstones.toml"
    stones.write_text(STONE.format(id="RG1002", slug="record-old") + 'replaced_by = ["no-such"]')
    assert _errors(sample.parent.parent) == ["related-unknown", "related-unknown"]


@pytest.mark.parametrize(("key", "name"), [("slug", "record-lost"), ("origin", "guard")])
def test_a_record_lies_in_the_folder_of_its_name(sample, key, name):
    place = sample.with_name(name) if key == "slug" else sample.parent.with_name(name) / sample.name
    place.parent.mkdir(exist_ok=True)
    sample.rename(place)
    wrong = load(str(place.parent.parent)).errors
    assert [(it.slug, it.fields["key"]) for it in wrong] == [("record-misplaced", key)]


def test_names_old_and_removed_lead_to_their_codes(sample, tmp_path):
    path = sample / "record.toml"
    path.write_text(path.read_text().replace("ops = []", 'ops = []\naliases = ["record-absent"]'))
    stones = sample.parent.parent / "tombstones.toml"
    stones.write_text(STONE.format(id="RG1002", slug="record-old"))
    built = tmp_path / "catalogue.jsonl"
    built.write_bytes(artefact_bytes(load(str(sample.parent.parent))))
    shelf = opened(str(built))
    for name in ("record-absent", "RECORD-MISSING", "5278"):
        assert shelf.code_of(name) == "RG5278"
    for name in ("record-old", "rg-1002"):
        assert shelf.code_of(name) == "RG1002"
    assert shelf.tombstones["RG1002"]["reason"] == "merged into another record"
    assert shelf.code_of("record") is None


def test_a_new_id_was_never_used(sample):
    folder = sample.parent.parent
    used = {f"RG{number}" for number in range(1000, 10000)} - {"RG7777", "RG8888"}
    lines = "".join(STONE.format(id=code, slug="record-old") for code in sorted(used))
    (folder / "tombstones.toml").write_text(lines)
    (sample / "record.toml").write_text('id = "RG8888"\nbroken')
    assert {free_id(str(folder)) for _ in range(5)} <= {"RG7777"} - set(ours().codes)


def test_no_id_or_slug_of_the_history_is_gone():
    """Walks the commits: what was once a record is one still, or a tombstone."""
    top = Path(records_folder()).parent
    log = ["git", "-C", str(top), "log", "--format=%H", "--", "errors/catalogue.jsonl"]
    commits = subprocess.run(log, capture_output=True, text=True, check=False).stdout.split()
    now = ours()
    for commit in commits:
        show = ["git", "-C", str(top), "show", f"{commit}:errors/catalogue.jsonl"]
        data = subprocess.run(show, capture_output=True, check=False).stdout
        import json

        then = json.loads(data.splitlines()[0])
        for slug, code in then["slugs"].items():
            assert now.code_of(code) == code, f"{code} ({slug}) of {commit}"
            assert now.code_of(slug) == code, f"{slug} of {commit}"
