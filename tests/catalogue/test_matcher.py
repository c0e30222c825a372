import random
import traceback

import forms
import pytest
from matching import forms_of, is_of_its_name, renamed, text_of

from ropeguard.catalogue import entries
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.indexing import index_of
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.templates import fill, parse
from ropeguard.catalogue.vocabulary import OURS


ENTRIES = {entry["slug"]: entry for entry in entries()}


@pytest.fixture(name="matcher", scope="module")
def _matcher():
    return ours().matcher()


def _message(slug):
    """Return the first line of the error without its code, and without what stands before it."""
    line = text_of(ENTRIES[slug]).splitlines()[0]
    if is_of_its_name(ENTRIES[slug]):
        return line
    return line.removesuffix(f" [{ENTRIES[slug]['code']}]").partition(": ")[2]


def _first(matcher, text):
    found = matcher.matches(text)
    return found[0].code if found else None


@pytest.mark.parametrize("slug", ENTRIES)
def test_an_error_is_known_in_every_form(slug, matcher):
    entry = ENTRIES[slug]
    pasted = {form.__name__: form(text_of(entry)) for form in forms_of(entry)}
    wrong = {name: it for name, it in pasted.items() if _first(matcher, it) != entry["code"]}
    assert wrong == {}
    explicit = {matcher.matches(it)[0].explicit for it in pasted.values()}
    assert explicit == {entry["origin"] in OURS}


@pytest.mark.parametrize("slug", ENTRIES)
def test_a_message_is_known_without_its_code_and_under_any_name(slug, matcher):
    entry = ENTRIES[slug]
    text = _message(slug) if is_of_its_name(entry) else f"ValueError: {_message(slug)}"
    rest = text_of(entry).splitlines()[1:]
    pasted = [form(text) for form in forms_of(entry)] if not rest else [text]
    pasted += renamed(entry)
    assert {_first(matcher, it) for it in pasted} == {entry["code"]}


# What other programs than the record's own may have in the place of each value.
VALUES = {
    "Axis": [0, -1, 2, "head_dim", "*batch"],
    "Dtype": ["bfloat16", "float32", "complex64"],
    "Int": [0, 1, -1, 4096, 10**12],
    "Name": ["q", "mx.fast.rope", "layers[3]", "list[int]", "model.layers.0.self_attn"],
    "Number": [0, -2.5, 1e-06, "inf", "nan"],
    "Shape": ["()", "(5,)", "(5)", "(1,32,4096)", "(1, 32, 128)", "[2,3]", (7, 1, 2, 3, 4, 5)],
    "Shapes": ["(1,9,24), (1,5,32)", "(4), (2,2)", "(1, 2), (3,), ()"],
    "Text": ["w", "weights/model-00001-of-00003.safetensors", "a 'quoted' word", "x" * 90],
}


def _templates(entry):
    found = [entry["message"], *(it["template"] for it in entry["patterns"])]
    return [parse(template) for template in dict.fromkeys(found)]


@pytest.mark.parametrize("slug", ENTRIES)
def test_every_wording_is_known_with_other_values(slug, matcher):
    entry = ENTRIES[slug]
    types = {name: field["type"] for name, field in entry["fields"].items()}
    chance = random.Random(slug)
    for parts in _templates(entry):
        for _ in range(4 if len(parts) > 1 else 1):
            values = {name: chance.choice(VALUES[types[name]]) for name in parts[1::2]}
            text = f"ValueError: {fill(parts, values, types)}"
            text += "\nInvoked with types: mlx.core.array" if entry["context"] else ""
            for form in (forms.plain, forms.last_line, forms.cut, forms.logged):
                assert _first(matcher, form(text)) == entry["code"], form(text)


PATH = "/Users/someone/Library/Caches/models--org--name/snapshots/0123456789abcdef/weights-1.npz"


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("frames", [forms.FRAMES, ""])
def test_a_value_that_a_terminal_broke_is_read_whole(width, frames):
    matcher = _matcher_of(
        _entry("RG1001", "cannot open the file {path}", path="Text"),
        _entry("RG1002", "these sizes are too many: {size}", size="Int"),
    )
    for message, values in (
        (f"cannot open the file {PATH}", {"path": PATH}),
        (f"these sizes are too many: {'1' * 39}", {"size": int("1" * 39)}),
    ):
        text = f"{frames}{'x' * 150}\n{'y' * (width - 35)}Error: {message}\n\nExit 1"
        lines = text.splitlines()
        broken = "\n".join(
            it[at : at + width] for it in lines for at in range(0, max(len(it), 1), width)
        )
        assert [it.values for it in matcher.matches(broken)] == [values]


def test_a_name_with_dots_ends_where_the_text_behind_it_begins():
    matcher = _matcher_of(_entry("RG1001", "cannot load {name}.metallib here", name="Name"))
    for name in ("mlx", "libs.mlx", "a.metallib.b"):
        found = matcher.matches(f"cannot load {name}.metallib here")
        assert found[0].values == {"name": name}
    assert matcher.matches("cannot load .metallib here") == []


def test_a_value_is_not_read_into_a_line_that_does_not_continue_it():
    matcher = _matcher_of(_entry("RG1001", "cannot open the file {path}", path="Text"))
    error = f"OSError: cannot open the file {PATH}"
    for after in ("", "\nExit 1", "\n\nDuring handling of the above", "\n  more: nothing"):
        assert matcher.matches(f"{forms.FRAMES}{error}{after}")[0].values == {"path": PATH}


def test_a_message_of_several_packages_needs_the_right_one_around_it():
    common = _entry("RG1001", "{name}(): incompatible arguments", name="Name")
    matcher = _matcher_of(common | {"context": ["mlx", "mx."]})
    line = "TypeError: rope(): incompatible arguments"
    assert [it.code for it in matcher.matches(line)] == ["RG1001"]
    assert [it.code for it in matcher.matches(f"    y = mx.rope(x)\n{line}")] == ["RG1001"]
    assert matcher.matches(f"    y = jax.rope(x)\n{line}") == []


@pytest.mark.parametrize("slug", ENTRIES)
def test_the_values_read_give_the_message_again(slug, matcher):
    """Where a line was broken inside a value, nobody can know whether a blank stood there."""
    entry = ENTRIES[slug]
    types = {name: field["type"] for name, field in entry["fields"].items()}
    parts = parse(entry["message"])
    for form in set(forms.FORMS) & set(forms_of(entry)):
        values = matcher.matches(form(text_of(entry)))[0].values
        found, wanted = fill(parts, values, types), _message(slug)
        if form in forms.BREAKING:
            found, wanted = found.replace(" ", ""), wanted.replace(" ", "")
        if entry["origin"] not in OURS:
            # A template of MLX's may be the beginning of the message; MLX writes `(4,8)`, `(5)`.
            filled = [_squeezed(fill(it, values, types)) for it in _templates(entry)]
            # What a compiler says goes on below, and may look like the wrapped rest of its line.
            whole = _squeezed(text_of(entry))
            assert any(it in _squeezed(wanted) or it in _joined(whole) for it in filled), form
        elif _has_message(entry):
            assert found == wanted, form


def _squeezed(text):
    return text.replace(" ", "").replace(",)", ")")


def _joined(text):
    return "".join(text.splitlines())


def _has_message(entry):
    """Return whether the error begins with our message, not with a foreign one of `patterns`."""
    matches = _matcher_of(entry | {"patterns": []}).matches(_message(entry["slug"]))
    return bool(matches)


@pytest.mark.parametrize("slug", ENTRIES)
def test_the_values_are_read_from_the_plain_form(slug, matcher):
    entry = ENTRIES[slug]
    values = matcher.matches(text_of(entry))[0].values
    assert set(values) in [set(parts[1::2]) for parts in _templates(entry)]


def test_each_record_of_a_chain_is_reported_once_with_its_root_first(matcher):
    slugs = ("record-missing", "input-binary", "toml-syntax")
    text = "\n\n".join(forms.plain(text_of(ENTRIES[slug])) for slug in (*slugs, *slugs))
    assert [it.code for it in matcher.matches(text)] == [ENTRIES[slug]["code"] for slug in slugs]


@pytest.mark.parametrize("form", [forms.plain, forms.wrapped, forms.cut, forms.boxed, forms.logged])
def test_errors_one_below_the_other_are_all_reported(form, matcher):
    slugs = ("record-value-wrong", "id-duplicate", "related-unknown", "slug-duplicate")
    text = form("\n".join(text_of(ENTRIES[slug]).splitlines()[0] for slug in slugs))
    assert [it.code for it in matcher.matches(text)] == [ENTRIES[slug]["code"] for slug in slugs]


@pytest.mark.parametrize("slug", ["catalogue-faulty", "proof-failed"])
def test_errors_among_the_details_come_after_their_own(slug, matcher):
    codes = [it.code for it in matcher.matches(text_of(ENTRIES[slug]))]
    assert codes[0] == ENTRIES[slug]["code"]
    assert len(codes) == 2


def test_a_message_that_quotes_another_error_is_of_its_own_record(matcher):
    text = "no record fits the text that begins `input is binary [RG2114]` [RG2950]"
    assert [it.code for it in matcher.matches(text)] == ["RG2950"]


def test_a_code_that_no_record_has_is_no_match(matcher):
    assert matcher.matches("ValueError: something [RG0000]") == []


def _stdlib_errors():
    calls = [
        "[][1]",
        "{}['k']",
        "int('x')",
        "1 / 0",
        "None.shape",
        "open('/nowhere')",
        "import_module('nowhere')",
        "float('1,5')",
        "'a' + 1",
        "len(3)",
        "next(iter(()))",
        "b'\\xff'.decode()",
        "loads('{')",
        "compile('(', 'x', 'exec')",
        "sorted([1, 'a'])",
        "(1, 2).index(3)",
        "dict([1])",
        "range(1.5)",
        "[1, 2].remove(3)",
        "zip([1], [], strict=True).__next__()",
        "int.from_bytes([300])",
        "chr(-1)",
        "getattr(object(), 'dtype')",
        "unpack('<I', b'')",
    ]
    return pytest.mark.parametrize("call", calls)


@_stdlib_errors()
def test_the_error_of_another_library_is_no_match(call, matcher):
    from importlib import import_module
    from json import loads
    from struct import unpack

    names = {"import_module": import_module, "loads": loads, "unpack": unpack}
    with pytest.raises(Exception) as caught:  # noqa: PT011
        eval(call, names)
    assert matcher.matches("".join(traceback.format_exception(caught.value))) == []


def _entry(code, message, **types):
    fields = {name: {"type": kind, "doc": "x", "value": None} for name, kind in types.items()}
    return {"code": code, "message": message, "fields": fields, "patterns": []}


def _matcher_of(*found):
    return Matcher(index_of(found), [entry["code"] for entry in found])


def test_the_record_with_most_literal_characters_wins():
    matcher = _matcher_of(
        _entry("RG1001", "the shapes differ: {detail}", detail="Text"),
        _entry("RG1002", "the shapes differ: {a} and {b}", a="Shape", b="Shape"),
    )
    found = matcher.matches("ValueError: the shapes differ: (4, 8) and (4, 9)")
    assert [(it.code, it.values) for it in found] == [("RG1002", {"a": (4, 8), "b": (4, 9)})]
    assert [it.code for it in matcher.matches("the shapes differ: four")] == ["RG1001"]


def test_records_that_fit_equally_well_are_all_returned():
    matcher = _matcher_of(
        _entry("RG1001", "the pool is full of {what}", what="Text"),
        _entry("RG1002", "the pool is full of {size}", size="Int"),
    )
    assert {it.code for it in matcher.matches("the pool is full of 4")} == {"RG1001", "RG1002"}


def test_a_message_that_begins_with_a_field_is_read_whole():
    matcher = _matcher_of(_entry("RG1001", "{name} has no free slots", name="Name"))
    for text in ("k_pool has no free slots", "app.Error: k_pool has no free slots"):
        assert matcher.matches(text)[0].values == {"name": "k_pool"}


def test_a_part_of_a_message_leads_to_its_record():
    matcher = _matcher_of(
        _entry("RG1001", "the pool of keys is full: {size}", size="Int"),
        _entry("RG1002", "the pool of values is full: {size}", size="Int"),
    )
    assert [it.code for it in matcher.beginnings("the pool of keys")] == ["RG1001"]
    assert {it.code for it in matcher.beginnings("the pool of")} == {"RG1001", "RG1002"}
    assert matcher.beginnings("pool") == []


def test_few_templates_are_tried_however_many_there_are(monkeypatch):
    subjects = [f"subject{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(600)]
    found = [
        _entry(f"RG{1000 + n}", f"the {it} is out of range: {{size}}", size="Int")
        for n, it in enumerate(subjects)
    ]
    matcher = _matcher_of(*found)
    tried = []
    from ropeguard.catalogue import matcher as module

    real = module.read
    monkeypatch.setattr(module, "read", lambda *args: tried.append(args) or real(*args))
    text = f"ValueError: the {subjects[321]} is out of range: 7"
    assert [it.code for it in matcher.matches(text)] == ["RG1321"]
    assert len(tried) <= 3
