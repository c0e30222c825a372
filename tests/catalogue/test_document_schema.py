"""The JSON Schema that is shipped: what it takes, and what it does not."""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ropeguard.catalogue import entries, seed_schema
from ropeguard.catalogue.seed_schema import document_of_entry
from ropeguard.cli import main


PATH = Path(seed_schema.__file__).with_name("document.schema.json")
SCHEMA = json.loads(PATH.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
OWN = Path(__file__).with_name("pool-full.json")
SEEDS = sorted((Path(__file__).parents[3] / "shared" / "seeds").glob("*.txt"))
DOCUMENT = document_of_entry(entries()[0], "1.0")


def _faults(document):
    return [error.message for error in VALIDATOR.iter_errors(document)]


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", [OWN, *SEEDS], ids=lambda path: path.name)
def test_published_documents_are_valid(path):
    assert _faults(json.loads(path.read_text(encoding="utf-8"))) == []


def test_the_whole_catalogue_is_exported_as_valid_documents(capfdbinary):
    assert main(["catalogue", "export"]) == 0
    documents = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert len(documents) == len(entries())
    wrong = {it["record"]["slug"]: _faults(it) for it in documents if _faults(it)}
    assert wrong == {}


def test_the_command_prints_it(capfdbinary):
    assert main(["catalogue", "schema"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == SCHEMA


def test_every_member_that_is_written_is_described_and_required():
    record = SCHEMA["properties"]["record"]
    assert list(record["properties"]) == list(DOCUMENT["record"])
    assert set(record["required"]) == set(DOCUMENT["record"])
    assert all(it["description"].endswith(".") for it in record["properties"].values())


@pytest.mark.parametrize("key", DOCUMENT["record"])
@pytest.mark.parametrize("value", [..., 1.5, {"a": 1}, [3]], ids=repr)
def test_a_member_that_is_missing_or_of_another_type_is_a_fault(key, value):
    document = copy.deepcopy(DOCUMENT)
    if value is ...:
        del document["record"][key]
    else:
        document["record"][key] = value
    assert _faults(document)


def test_a_mistake_that_raises_nothing_has_no_class():
    entry = entries()[0] | {"exception": "nothing"}
    record = document_of_entry(entry, "1.0")["record"]
    assert (record["errorClass"], record["errorType"]) == (None, "silent")


def test_a_file_of_another_package_keeps_its_name():
    sites = [{"module": "mlx/ops.cpp", "function": "matmul"}]
    record = document_of_entry(entries()[0] | {"raise_sites": sites}, "1.0")["record"]
    assert record["filePath"] == "mlx/ops.cpp"
