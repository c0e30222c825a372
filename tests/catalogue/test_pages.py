import json

import pytest

from ropeguard.catalogue import entry
from ropeguard.catalogue.json_lines import json_line
from ropeguard.catalogue.pages import Style, page, tombstone_page
from ropeguard.catalogue.sentences import faults, filled


RECORD = entry("record-value-wrong")


def test_the_values_stand_in_the_message_and_below_it():
    values = {"key": "tags", "path": "x.toml", "found": "cheese", "allowed": "one of shape, dtype"}
    shown = page(RECORD, values, Style())
    assert "`tags` in `x.toml` is `cheese`, but has to be one of shape, dtype" in shown
    assert "\nYours     key = tags" in shown


MATMUL = entry("matmul-inner-sizes-differ")
SHAPES = {"first_shape": (3, 2, 16), "second_shape": (3, 5, 16)}


def test_a_page_says_what_the_values_mean_and_what_would_fit():
    shown = page(MATMUL, SHAPES, Style())
    assert "\nYours     Axis -1 of the first is 16 and axis -2 of the second is 5;" in shown
    assert "\nFits      a @ b.swapaxes(-1, -2)  # `b` becomes (3, 16, 5)\n" in shown
    data = json.loads(json_line(MATMUL, SHAPES, "x"))
    assert data["reading"].startswith("axis -1 of the first is 16")
    assert data["suggestions"][0]["code"] == "a @ b.swapaxes(-1, -2)"


def test_a_page_of_some_of_the_values_says_less():
    shown = page(MATMUL, {"first_shape": (3, 2, 16)}, Style())
    assert "Yours     first_shape = (3, 2, 16)" in shown
    assert "Fits" not in shown


def test_nothing_in_a_value_reaches_the_terminal_or_is_executed(tmp_path):
    trap = tmp_path / "trap"
    record = RECORD | {"readings": ["the key is {key}, in {path}"]}
    values = {"key": f"{{__import__('os').mkdir({str(trap)!r})}}", "path": "\x1b[31m{found}"}
    shown = page(record, values, Style(width=200))
    assert f"The key is {values['key']}, in \\x1b[31m{{found}}." in shown
    assert "\x1b" not in shown
    assert not trap.exists()


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("{a} and {b[-1]}", "(2, 3) and 4"),
        ("{a[i]} of {len(a)}", "3 of 2"),
        ("{product(a)}", "6"),
        ("{clashes(a, b)}", "axis -1 (3 against 4)"),
        ("{differences(a, b)}", "axis 1 (3 against 4)"),
        ("{differences(a, c)}", "the number of axes (2 against 1)"),
        ("{apart(all, i)}", "axis 0 (2, 5)"),
        ("{a[7]}", None),
        ("{clashes(a, a)}", None),
        ("{missing}", None),
        ("{len(i)}", None),
        ("{a.count}", None),
        ("{a[0][0]}", None),
        ("{__import__('os')}", None),
    ],
)
def test_a_sentence_is_filled_from_a_closed_set_of_places(sentence, said):
    types = {"a": "Shape", "b": "Shape", "c": "Shape", "i": "Axis", "all": "Shapes"}
    values = {"a": (2, 3), "b": (2, 4), "c": (5,), "i": 1, "all": ((2, 3), (5, 4))}
    assert filled([sentence], values, types) == said
    assert filled([sentence, "else"], values, types) == (said or "else")


def test_places_that_no_value_can_fill_are_faults():
    types = {"a": "Shape", "n": "Int"}
    good = "{a} {n} {a[0]} {a[n]} {len(a)} {clashes(a, a)}"
    assert list(faults(good, types)) == []
    bad = ["b", "n[0]", "len(n)", "sum(a)", "a.x", "", "a[0][1]", "clashes(a)"]
    assert list(faults("".join(f"{{{place}}}" for place in bad), types)) == bad


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
