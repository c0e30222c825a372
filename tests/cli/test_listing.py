import json
from pathlib import Path

from ropeguard.catalogue import entries


def test_a_pipe_gets_a_line_of_three_cells_a_record(command):
    lines = [line.split("\t") for line in command("list").out.splitlines()]
    assert lines == [[it["code"], it["slug"], it["title"]] for it in entries()]
    assert command("explain", "--list").out == command("list").out


def test_json_lines_hold_what_a_filter_needs(command):
    found = [json.loads(line) for line in command("list", "--json").out.splitlines()]
    assert [it["code"] for it in found] == [it["code"] for it in entries()]
    assert {it["origin"] for it in found} >= {"catalogue"}


def test_filters_keep_what_they_name(command):
    def codes(*options):
        return [line.split("\t")[0] for line in command("list", *options).out.splitlines()]

    assert codes("--origin", "catalogue") == [
        it["code"] for it in entries() if it["origin"] == "catalogue"
    ]
    assert codes("--tag", "duplicates") == [
        it["code"] for it in entries() if "duplicates" in it["tags"]
    ]
    assert codes("--op", "matmul") == [it["code"] for it in entries() if "matmul" in it["ops"]]
    assert codes("--status", "preview") == [
        it["code"] for it in entries() if it["status"] == "preview"
    ]
    assert codes("--origin", "nobody") == []


def test_a_given_catalogue_stands_before_ours(command):
    path = Path(__file__).parents[1] / "catalogue" / "pool-full.json"
    lines = command("list", "--catalogue", path).out.splitlines()
    assert lines[0].split("\t")[1] == "pool-has-no-free-block"
    assert len(lines) == len(entries()) + 1


def test_export_prints_a_document_a_line(command, process):
    lines = process("catalogue", "export").stdout.decode().splitlines()
    assert [json.loads(it)["record"]["slug"] for it in lines] == [it["slug"] for it in entries()]


def test_export_of_a_catalogue_gives_its_documents_back(process):
    path = Path(__file__).parents[1] / "catalogue" / "pool-full.json"
    out = process("catalogue", "export", "--catalogue", path).stdout.decode()
    assert out.count("\n") == 1
    assert json.loads(out) == json.loads(path.read_text())
    assert list(json.loads(out)["record"]) == list(json.loads(path.read_text())["record"])


def test_export_of_a_folder_of_records_writes_the_schema(errors, command, process):
    out = process("catalogue", "export", "--catalogue", errors).stdout.decode()
    assert json.loads(out)["record"]["schemaVersion"] == 2


def test_help_and_version_end_well(command):
    for arguments in (["--help"], ["explain", "--help"], ["catalogue", "--help"], ["--version"]):
        ended = command(*arguments)
        assert ended.status == 0
        assert "ropeguard" in ended.out
    assert all(name in command("--help").out for name in ("explain", "list", "doctor", "catalogue"))
