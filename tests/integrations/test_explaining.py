"""`ropeguard.explain`: from exceptions, names and texts to pages, as text and as Markdown."""

import gc
import weakref

import mlx.core as mx
import pytest
from hypothesis import given, strategies as st
from jaxtyping import Float

import ropeguard
from ropeguard import RopeguardError
from ropeguard.catalogue import entries, entry
from ropeguard.catalogue.markdown import code, escaped, fenced, markdown_page


MATMUL = "matmul-inner-sizes-differ"


def product():
    queries, keys = mx.zeros((3, 2, 16)), mx.zeros((3, 5, 16))
    return queries @ keys


def raised(call):
    with pytest.raises(Exception) as info:  # noqa: PT011
        call()
    return info.value


def slugs(explanation):
    return [page.entry["slug"] for page in explanation.pages]


@pytest.mark.parametrize("query", ["RG2526", "rg2526", "2526", MATMUL])
def test_a_name_gives_the_page_that_the_command_prints(query):
    explanation = ropeguard.explain(query)
    assert slugs(explanation) == [MATMUL]
    assert str(explanation) == repr(explanation)
    assert str(explanation).startswith(f"RG2526  {MATMUL}")


def test_a_foreign_exception_gives_a_page_in_the_names_of_its_frame():
    failure = raised(product)
    text = str(ropeguard.explain(failure))
    assert "Fits      queries @ keys.swapaxes(-1, -2)  # `keys` becomes (3, 16, 5)" in text
    assert "Axis -1 of the first is 16" in text
    assert not hasattr(failure, "__notes__")


def test_an_exception_of_ropeguard_gives_its_record_and_values():
    failure = raised(lambda: ropeguard.gaurd)
    explanation = ropeguard.explain(failure)
    assert slugs(explanation) == ["public-name-unknown"]
    assert "name = gaurd" in str(explanation)


def test_a_violated_contract_says_what_it_has_to_say_of_its_call_first():
    @ropeguard.guard
    def project(x: Float[mx.array, "n k"], weight: Float[mx.array, "k m"]):
        return x @ weight

    failure = raised(lambda: project(mx.zeros((2, 3)), mx.zeros((4, 3))))
    explanation = ropeguard.explain(failure)
    text, markdown = str(explanation), explanation._repr_markdown_()
    assert failure.suggestions
    for shown in (text, markdown):
        code = failure.suggestions[0].caller_code or failure.suggestions[0].code
        assert shown.index(code) < shown.index("argument-size-conflict")
    held = weakref.ref(failure)
    del failure
    gc.collect()
    assert held() is None


def test_a_chain_gives_each_record_with_its_root_first():
    def chained():
        try:
            product()
        except ValueError as failure:
            raise AttributeError("ropeguard has no public name `x`") from failure

    assert slugs(ropeguard.explain(raised(chained))) == [MATMUL, "public-name-unknown"]


def test_a_group_and_a_circle_of_causes_come_to_an_end():
    failure = raised(product)
    failure.__cause__ = ExceptionGroup("two", [failure, KeyError("k")])
    assert slugs(ropeguard.explain(ExceptionGroup("all", [failure]))) == [MATMUL]


def test_a_text_gives_its_records():
    text = f"ValueError: {raised(product)}"
    assert slugs(ropeguard.explain(text)) == [MATMUL]
    assert "Fits      a @ b.swapaxes(-1, -2)" in str(ropeguard.explain(text))


@pytest.mark.parametrize(
    "subject", [ValueError("[matmul] in new words"), "ValueError: [matmul] in new words"]
)
def test_the_nearest_record_is_called_the_nearest(subject):
    explanation = ropeguard.explain(subject)
    assert [page.nearest for page in explanation.pages] == [True]
    for shown in (str(explanation), explanation._repr_markdown_()):
        assert "No record has this message word for word. The nearest one" in shown


@pytest.mark.parametrize(
    "subject", ["out of cheese", RuntimeError("out of cheese"), "RG0000", KeyError(3), KeyError()]
)
def test_what_nobody_knows_is_refused(subject):
    with pytest.raises(RopeguardError) as info:
        ropeguard.explain(subject)
    assert info.value.slug in ("text-unknown", "code-unknown")


def test_an_exception_made_of_an_array_is_not_rendered():
    array = mx.random.normal((1000, 1000)) @ mx.random.normal((1000, 1000))
    mx.synchronize()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    with pytest.raises(RopeguardError):
        ropeguard.explain(ValueError(array))
    assert mx.get_peak_memory() - before < 1e6


def test_a_notebook_gets_markdown():
    text = ropeguard.explain(raised(product))._repr_markdown_()
    assert text.startswith(f"**RG2526** `{MATMUL}`: Inner sizes of a matrix product differ")
    assert "```python\nqueries @ keys.swapaxes(-1, -2)  #" in text
    assert "**Yours**: axis -1 of the first is 16" in text
    assert "\n```diff\n-" in text
    assert text.endswith("`ropeguard explain RG2526 --full`")


def test_a_kernel_shows_it(capsys):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.history_manager.enabled = False
    shown, _ = shell.display_formatter.format(ropeguard.explain("RG2526"))
    assert shown["text/markdown"].startswith("**RG2526**")
    assert shown["text/plain"].startswith("RG2526  matmul")
    shell.history_manager.end_session()


@pytest.mark.parametrize("slug", [it["slug"] for it in entries()])
def test_every_record_has_a_page_of_markdown(slug):
    text = markdown_page(entry(slug), {})
    assert text.count("```") % 2 == 0
    assert "**Do**\n\n1. " in text


VALUE = st.text("ab `*_<>[]|\\&#~$\n\x1b\u202e", max_size=30)


@given(VALUE)
def test_no_value_becomes_markup(value):
    record = entry("text-unknown")
    text = markdown_page(record, {"text": value})
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<" not in _outside_code(text).replace("\\<", "")


def _outside_code(text):
    import re

    text = re.sub(r"^(`{3,})\w*\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)


@given(VALUE)
def test_a_fence_is_longer_than_what_is_in_it(value):
    block = fenced(value, "text").split("\n")
    assert block[-1] not in block[1:-1]
    assert escaped(value).count("\x1b") == 0
    assert code(value)[0] == "`"
