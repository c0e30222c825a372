import re
import string

import pytest
from hypothesis import given, strategies as st

from ropeguard.catalogue import RopeguardError
from ropeguard.catalogue.reading import read
from ropeguard.catalogue.templates import clean, fill, parse, show


# Written from the types' definitions, with plain backtracking expressions.
ORACLE = {
    "Int": r"-?\d+",
    "Number": r"-?(?:inf|nan|\d+(?:\.\d+)?(?:e[+-]?\d+)?)",
    "Shape": r"\((?:\d+(?:, \d+)*,?)?\)",
    "Dtype": r"[a-z]\w*",
    "Name": r"\w+(?:\.\w+|\[\d+\])*",
    "Axis": r"-?\d+|\w+",
    "Text": r".*?",
}
names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
identifiers = st.from_regex(r"[A-Za-z_]\w{0,6}", fullmatch=True).filter(str.isascii)
VALUES = {
    "Int": st.integers(-(10**15), 10**15),
    "Number": st.one_of(st.integers(-(10**9), 10**9), st.floats(allow_nan=False)),
    "Shape": st.lists(st.integers(0, 2**31), max_size=5).map(tuple),
    "Dtype": st.sampled_from(["float16", "bfloat16", "int32", "bool_", "uint8"]),
    "Name": st.lists(identifiers, min_size=1, max_size=3).map(".".join),
    "Axis": st.one_of(st.integers(-9, 9), identifiers),
    "Text": st.text(string.ascii_letters + string.digits + " ()[]`'", max_size=40),
}
# Each begins with what no value holds, so that a message says where a value ends.
literals = st.sampled_from([", want ", "; got ", ", but the pool says ", ": it is ", ", axis "])


@st.composite
def messages(draw):
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=5))
    fields = draw(st.lists(names, min_size=len(kinds), max_size=len(kinds), unique=True))
    template = draw(st.sampled_from(["the check expects ", "`q` {{n}} has the size "]))
    for place, field in enumerate(fields):
        template += f"{{{field}}}" + (draw(literals) if place < len(fields) - 1 else "")
    values = {field: draw(VALUES[kind]) for field, kind in zip(fields, kinds, strict=True)}
    return template, dict(zip(fields, kinds, strict=True)), values


@given(messages())
def test_the_values_of_a_message_are_read_back(message):
    template, types, values = message
    parts = parse(template)
    text = fill(parts, values, types)
    found = read(parts, [types[name] for name in parts[1::2]], f"ValueError: {text}")
    wanted = {
        name: it.rstrip() if types[name] == "Text" and name == parts[-2] else it
        for name, it in values.items()
    }
    assert found == wanted


@given(messages(), st.text(string.ascii_lowercase + "(),; 0123", max_size=30))
def test_reading_agrees_with_a_regular_expression(message, tail):
    template, types, values = message
    parts = parse(template)
    kinds = [types[name] for name in parts[1::2]]
    text = fill(parts, values, types)[:-1] + tail
    pattern = "".join(
        re.escape(part) if place % 2 == 0 else f"(?P<{part}>{ORACLE[types[part]]})"
        for place, part in enumerate(parts)
    )
    if read(parts, kinds, text) is not None:
        assert re.search(pattern, text)


@pytest.mark.parametrize("template", ["{", "}", "{}", "{0}", "{x.shape}", "{x:>4}", "{X}", "a {b"])
def test_stray_braces_are_refused(template):
    with pytest.raises(RopeguardError) as caught:
        parse(template)
    assert caught.value.slug == "template-wrong"


def test_doubled_braces_stand_for_themselves():
    parts = parse("axis `{{n}}` has {size}}}")
    assert parts == ("axis `{n}` has ", "size", "}")
    assert fill(parts, {"size": 4}, {"size": "Int"}) == "axis `{n}` has 4}"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Int", "four"),
        ("Int", "9" * 5000),
        ("Shape", "(4, 8"),
        ("Shape", "(" * 5000),
        ("Dtype", "16"),
        ("Number", "-"),
        ("Name", "`"),
    ],
)
def test_a_value_of_another_type_is_no_match(kind, text):
    assert (
        read(("the size is ", "size", ", so it fails"), [kind], f"the size is {text}, so it")
        is None
    )


def test_a_missing_field_stays_visible():
    assert fill(parse("got {shape}"), {}, {"shape": "Shape"}) == "got {shape}"


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("Shape", [4], "(4,)"),
        ("Shape", (), "()"),
        ("Dtype", "mlx.core.float16", "float16"),
        ("Text", "a\nb\x1b[31m", "a\\nb\\x1b[31m"),
        ("Text", "x" * 300, "x" * 197 + "..."),
    ],
)
def test_values_are_shown_on_one_line_and_harmless(kind, value, text):
    assert show(kind, value) == text


@given(st.text())
def test_cleaned_text_cannot_act_on_a_terminal(text):
    import unicodedata

    for char in clean(text):
        assert char == "\t" or unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(char) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
