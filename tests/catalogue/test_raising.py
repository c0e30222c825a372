import json
import pickle

import attrs
import pytest

import ropeguard
from ropeguard.catalogue import RopeguardError, entries, entry, error, load, records_folder
from ropeguard.catalogue.build import artefact_bytes
from ropeguard.catalogue.raising import BUILT_IN


def test_an_error_is_also_the_builtin_that_its_record_names():
    wrong = error("public-name-unknown", name="gaurd")
    assert isinstance(wrong, AttributeError)
    assert isinstance(wrong, RopeguardError)
    assert str(wrong) == "ropeguard has no public name `gaurd` [RG4270]"
    assert (wrong.code, wrong.slug, wrong.fields) == (
        "RG4270",
        "public-name-unknown",
        {"name": "gaurd"},
    )
    assert wrong.record["title"] == "The package has no such public name"


@pytest.mark.parametrize("slug", [it["slug"] for it in entries()])
def test_every_error_pickles_and_writes_one_line_of_json(slug):
    fields = dict.fromkeys(entry(slug)["fields"], "x\ny")
    wrong = error(slug, details="more", **fields)
    wrong.add_note("seen in layer 3")
    again = pickle.loads(pickle.dumps(wrong))
    assert type(again) is type(wrong)
    assert vars(again) == vars(wrong)
    assert str(again) == str(wrong)
    line = wrong.to_json()
    assert "\n" not in line
    assert json.loads(line)["code"] == entry(slug)["code"]
    assert str(wrong).splitlines()[0].endswith(f"[{wrong.code}]")


def test_the_values_kept_are_plain_data():
    class Array:
        shape = (4, 8)

        def __str__(self):
            return "mlx.core.float16"

    wrong = error("record-missing", slug=Array())
    assert wrong.fields == {"slug": "float16"}


def test_an_unknown_slug_still_reports_what_was_to_be_said():
    wrong = error("no-such-slug", shape=(4, 64))
    assert wrong.slug == "record-missing"
    assert "no-such-slug" in str(wrong)
    assert "shape = (4, 64)" in str(wrong)


def test_without_a_built_catalogue_errors_are_raised_all_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr("ropeguard.catalogue.artefact.folder", lambda name: str(tmp_path))
    wrong = error("code-unknown", name="RG0000")
    assert wrong.slug == "artefact-unreadable"
    assert "name = RG0000" in str(wrong)
    assert not hasattr(ropeguard, "gaurd")


@pytest.mark.parametrize("slug", BUILT_IN)
def test_the_built_in_records_are_those_of_the_catalogue(slug):
    built = entry(slug)
    for key in ("code", "slug", "exception", "message"):
        assert BUILT_IN[slug][key] == built[key]
    types = {name: {"type": field["type"]} for name, field in built["fields"].items()}
    assert BUILT_IN[slug]["fields"] == types


@pytest.mark.parametrize("name", ["RG4270", "rg4270", "4270", "rg-4270", "Public-Name-Unknown"])
def test_a_record_is_found_by_every_spelling_of_its_names(name):
    assert entry(name)["slug"] == "public-name-unknown"


def test_a_name_that_leads_nowhere_is_a_lookup_error():
    with pytest.raises(LookupError, match=r"`RG0421` \[RG7052\]"):
        entry("RG0421")


def test_a_catalogue_that_is_built_anew_is_read_anew(monkeypatch, tmp_path):
    monkeypatch.setattr("ropeguard.catalogue.artefact.folder", lambda name: str(tmp_path))
    catalogue = load(records_folder())
    path = tmp_path / "catalogue.jsonl"
    path.write_bytes(artefact_bytes(catalogue))
    assert error("usage-wrong", problem="x").code == "RG8425"
    fewer = attrs.evolve(catalogue, sources=catalogue.sources[len(catalogue.sources) // 2 :])
    path.write_bytes(artefact_bytes(fewer))
    assert error("usage-wrong", problem="x").code == "RG8425"


def test_a_damaged_line_is_reported_with_what_was_to_be_said(monkeypatch, tmp_path):
    monkeypatch.setattr("ropeguard.catalogue.artefact.folder", lambda name: str(tmp_path))
    whole = artefact_bytes(load(records_folder()))
    (tmp_path / "catalogue.jsonl").write_bytes(whole[: len(whole) // 2])
    wrong = error("usage-wrong", problem="x")
    assert wrong.slug == "artefact-unreadable"
    assert "problem = x" in str(wrong)
