import json

import pytest

from ropeguard.catalogue import entry
from ropeguard.catalogue.pages import Style, json_line, page, tombstone_page


RECORD = entry("record-value-wrong")


def test_the_values_stand_in_the_message_and_below_it():
    values = {"key": "tags", "path": "x.toml", "found": "cheese", "allowed": "one of shape, dtype"}
    shown = page(RECORD, values, Style())
    assert "`tags` in `x.toml` is `cheese`, but has to be one of shape, dtype" in shown
    assert "\nYours     key = tags" in shown


def test_without_values_the_fields_stay_visible():
    shown = page(RECORD, {}, Style())
    assert "`{key}` in `{path}` is `{found}`" in shown
    assert "Yours" not in shown


@pytest.mark.parametrize("width", [60, 80, 100])
def test_prose_is_wrapped_and_code_between_backticks_is_not_broken(width):
    code = "`x = x.reshape(-1, num_heads, head_dim)`"
    record = RECORD | {
        "documentation": f"{'word ' * 40}{code} {'more ' * 40}{'`' + 'y ' * 70 + '`'}"
    }
    shown = page(record, {}, Style(width=width))
    assert code in shown
    why = shown.partition("Why ")[2].partition("\nDo ")[0]
    assert max(len(line) for line in why.splitlines()) <= width


def test_a_deprecated_record_says_so():
    record = RECORD | {"status": "deprecated", "deprecated": {"version": "0.3.0", "reason": "gone"}}
    assert "Deprecated since 0.3.0: gone" in page(record, {}, Style())


def test_colours_are_never_the_only_sign():
    import re

    plain, coloured = (page(RECORD, {}, Style(colour=it)) for it in (False, True))
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert {"FAILS", "WORKS"} <= set(plain.split())
    assert any(line.lstrip().startswith("- ") for line in plain.splitlines())


def test_a_removed_record_without_a_successor_has_a_page():
    stone = {"id": "RG1002", "slug": "a-b", "version": "0.2.0", "reason": "x", "replaced_by": []}
    assert tombstone_page(stone, Style()) == "RG1002  a-b\nRemoved in 0.2.0: x\n"


def test_json_holds_the_whole_record():
    data = json.loads(json_line(RECORD, {"key": (4, 8)}, "here"))
    assert {name: data[name] for name in RECORD if name != "page"} == {
        name: it for name, it in RECORD.items() if name != "page"
    }
    assert (data["values"], data["catalogue"]) == ({"key": [4, 8]}, "here")
