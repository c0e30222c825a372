import textwrap
import traceback

import pytest

from ropeguard.catalogue import entries
from ropeguard.catalogue.artefact import ours
from ropeguard.catalogue.indexing import index_of
from ropeguard.catalogue.matcher import Matcher
from ropeguard.catalogue.templates import fill, parse
from ropeguard.catalogue.vocabulary import OURS


ENTRIES = {entry["slug"]: entry for entry in entries()}
FRAMES = (
    "Traceback (most recent call last):\n"
    '  File "/srv/model/serve.py", line 212, in step\n'
    "    attend(q, k, v)\n"
    "    ^^^^^^^^^^^^^^^\n"
)
UNRELATED = "KeyError: 'model.layers.0.self_attn.q_proj.weight'"


@pytest.fixture(name="matcher", scope="module")
def _matcher():
    return ours().matcher()


def _expected(slug):
    return ENTRIES[slug]["expected"].rstrip("\n")


def _message(slug):
    """Return the first line of the error without its code, and without what stands before it."""
    line = _expected(slug).splitlines()[0]
    return line.removesuffix(f" [{ENTRIES[slug]['code']}]").partition(": ")[2]


def _plain(text):
    return FRAMES + text


def _last_line(text):
    return text.splitlines()[0]


def _chained(text):
    return (
        f"{FRAMES}{text}\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        f"{FRAMES}RuntimeError: step 4 of request 17 stopped"
    )


def _caused(text):
    return (
        f"{FRAMES}{UNRELATED}\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        f"{FRAMES}{text}"
    )


def _pytest(text):
    lines = "\n".join(f"E   {line}" for line in text.splitlines())
    return f"    def test_step():\n>       attend(q, k, v)\n{lines}\n\ntest_step.py:7: ValueError"


def _ansi(text):
    lines = (f"\x1b[1m\x1b[31m{line}\x1b[0m\x1b[K" for line in text.splitlines())
    return "\x1b]0;pane\x07" + "\r\n".join(lines) + "\r\n\x1b]8;;https://x\x1b\\docs\x1b]8;;\x1b\\"


def _ipython(text):
    head = "ValueError                                Traceback (most recent call last)"
    return f"{'-' * 75}\n{head}\nCell In[3], line 1\n----> 1 attend(q, k, v)\n\n{text}"


def _logged(text):
    lines = _plain(text).splitlines()
    return "\n".join(f"2026-03-01 12:00:00,123 ERROR [rank0]: {line}" for line in lines)


def _docker(text):
    return "\n".join(f"worker-1  | {line}" for line in _plain(text).splitlines())


def _crlf(text):
    return _plain(text).replace("\n", "\r\n")


def _wrapped(text):
    lines = _plain(text).splitlines()
    return "\n".join(part for it in lines for part in textwrap.wrap(it, 80) or [""])


def _cut(text):
    """As a terminal of 80 columns breaks it, in the middle of words."""
    lines = _plain(text).splitlines()
    return "\n".join(it[at : at + 80] for it in lines for at in range(0, max(len(it), 1), 80))


def _boxed(text):
    lines = [part for it in text.splitlines() for part in textwrap.wrap(it, 76) or [""]]
    return "\n".join([f"╭{'─' * 78}╮", *(f"│ {it:<76} │" for it in lines), f"╰{'─' * 78}╯"])


def _grouped(text):
    block = "\n".join(f"    | {line}" for line in _plain(text).splitlines())
    return (
        "  + Exception Group Traceback (most recent call last):\n"
        "  | ExceptionGroup: two requests stopped (2 sub-exceptions)\n"
        "  +-+---------------- 1 ----------------\n"
        f"{block}\n"
        "    +---------------- 2 ----------------\n"
        f"    | {UNRELATED}\n"
        "    +------------------------------------"
    )


FORMS = (
    _plain,
    _last_line,
    _chained,
    _caused,
    _pytest,
    _ansi,
    _ipython,
    _logged,
    _docker,
    _crlf,
    _wrapped,
    _cut,
    _boxed,
    _grouped,
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("slug", ENTRIES)
def test_an_error_is_known_in_every_form(slug, form, matcher):
    found = matcher.matches(form(_expected(slug)))
    assert found[0].code == ENTRIES[slug]["code"]
    assert found[0].explicit is (ENTRIES[slug]["origin"] in OURS)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("slug", ENTRIES)
def test_a_message_is_known_without_its_code(slug, form, matcher):
    found = matcher.matches(form(f"ValueError: {_message(slug)}"))
    assert [it.code for it in found[:1]] == [ENTRIES[slug]["code"]]


@pytest.mark.parametrize("slug", ENTRIES)
def test_the_values_read_give_the_message_again(slug, matcher):
    """Where a line was broken inside a value, nobody can know whether a blank stood there."""
    entry = ENTRIES[slug]
    types = {name: field["type"] for name, field in entry["fields"].items()}
    parts = parse(entry["message"])
    for form in FORMS:
        values = matcher.matches(form(_expected(slug)))[0].values
        found, wanted = fill(parts, values, types), _message(slug)
        if form in (_wrapped, _cut, _boxed):
            found, wanted = found.replace(" ", ""), wanted.replace(" ", "")
        if entry["origin"] not in OURS:
            # A template of MLX's may be the beginning of the message; MLX writes `(4,8)`, `(5)`.
            templates = [entry["message"], *(it["template"] for it in entry["patterns"])]
            filled = [_squeezed(fill(parse(it), values, types)) for it in templates]
            assert any(_squeezed(wanted).startswith(it) for it in filled), form
        elif _has_message(entry):
            assert found == wanted, form


def _squeezed(text):
    return text.replace(" ", "").replace(",)", ")")


def _has_message(entry):
    """Return whether the error begins with our message, not with a foreign one of `patterns`."""
    matches = _matcher_of(entry | {"patterns": []}).matches(_message(entry["slug"]))
    return bool(matches)


@pytest.mark.parametrize("slug", ENTRIES)
def test_the_values_are_read_from_the_plain_form(slug, matcher):
    entry = ENTRIES[slug]
    templates = [entry["message"], *(it["template"] for it in entry["patterns"])]
    values = matcher.matches(_expected(slug))[0].values
    assert set(values) in [set(parse(template)[1::2]) for template in templates]


def test_each_record_of_a_chain_is_reported_once_with_its_root_first(matcher):
    slugs = ("record-missing", "input-binary", "toml-syntax")
    text = "\n\n".join(_plain(_expected(slug)) for slug in (*slugs, *slugs))
    assert [it.code for it in matcher.matches(text)] == [ENTRIES[slug]["code"] for slug in slugs]


@pytest.mark.parametrize("form", [_plain, _wrapped, _cut, _boxed, _logged])
def test_errors_one_below_the_other_are_all_reported(form, matcher):
    slugs = ("record-value-wrong", "id-duplicate", "related-unknown", "slug-duplicate")
    text = form("\n".join(_expected(slug).splitlines()[0] for slug in slugs))
    assert [it.code for it in matcher.matches(text)] == [ENTRIES[slug]["code"] for slug in slugs]


@pytest.mark.parametrize("slug", ["catalogue-faulty", "proof-failed"])
def test_errors_among_the_details_come_after_their_own(slug, matcher):
    codes = [it.code for it in matcher.matches(_expected(slug))]
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
