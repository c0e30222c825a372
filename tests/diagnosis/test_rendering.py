"""What the person who gets the error reads, in each form and at each width."""

import json
import pickle

import mlx.core as mx
import pytest
from jaxtyping import Bool, Float, Int32

from ropeguard import ContractError, guard
from ropeguard.catalogue import entries
from ropeguard.catalogue.templates import parse
from ropeguard.cli import main
from ropeguard.diagnosis import ranking


Z = mx.zeros


@guard
def attend(
    queries: Float[mx.array, "batch heads tokens head_dim"],
    keys: Float[mx.array, "batch kv_heads seen head_dim"],
    values: Float[mx.array, "batch kv_heads seen head_dim"],
    mask: Bool[mx.array, "tokens seen"] | None = None,
    *,
    scale: float = 1.0,
):
    return queries


class Layer:
    """Something with attributes."""

    def project(self, x):
        return x.swapaxes(1, 2)


K = Z((2, 2, 11, 16))
MASK = mx.ones((7, 11), dtype=mx.bool_)


def refusal(call):
    with pytest.raises(ContractError) as caught:
        call()
    return caught.value


def by_name():
    q = Z((2, 7, 8, 16))
    attend(q, K, K, MASK)


def by_attribute():
    layer = Layer()
    layer.q = Z((2, 7, 8, 16))
    attend(queries=layer.q, keys=K, values=K + 0, mask=MASK)


def by_expression():
    layer = Layer()
    attend(
        layer.project(Z((2, 8, 7, 16))),
        K,
        values=K,
        mask=MASK,
    )


def unpacked():
    arguments = Z((2, 7, 8, 16)), K, K, MASK
    attend(*arguments)


def one_name_twice():
    k = Z((2, 11, 2, 16))
    attend(Z((2, 8, 7, 16)), k, k, MASK)


SHOWN = {
    by_name: "q = q.swapaxes(1, 2)",
    by_attribute: "layer.q = layer.q.swapaxes(1, 2)",
    by_expression: "queries=layer.project(Z((2, 8, 7, 16))).swapaxes(1, 2)",
    unpacked: "queries = queries.swapaxes(1, 2)",
    one_name_twice: "keys = keys.swapaxes(1, 2)\nvalues = values.swapaxes(1, 2)",
}


@pytest.mark.parametrize("call", SHOWN, ids=lambda call: call.__name__)
def test_the_code_is_shown_in_the_names_of_the_call(call):
    error = refusal(call)
    assert error.suggestions[0].shown == SHOWN[call]
    assert f"  fix: {SHOWN[call].splitlines()[0]}\n" in str(error)


def test_the_call_is_shown_with_its_file_and_line():
    error = refusal(by_expression)
    assert error.call.file == __file__
    assert error.call.function == "by_expression"
    text = error.render(width=100, color=False)
    assert f"at {__file__}:{error.call.line}, in by_expression" in text
    assert "attend( layer.project(Z((2, 8, 7, 16))), K, values=K, mask=MASK, )" in text


def test_the_first_line_is_the_message_and_the_last_leads_on():
    error = refusal(by_name)
    lines = str(error).splitlines()
    assert lines[0].endswith("[RG3439]")
    assert lines[-1] == "  more: ropeguard explain RG3439"
    assert str(error).count("more: ") == 1


def test_the_wrong_axis_is_marked_in_both_columns():
    lines = str(refusal(by_name)).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(">"))
    assert lines[at + 1].count("^") == 1 + len("tokens")
    for column, mark in enumerate(lines[at + 1]):
        if mark == "^":
            assert lines[at][column] in "7tokens"


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("call", [by_name, by_attribute, one_name_twice])
def test_widths_are_kept_to(call, width):
    text = refusal(call).render(width=width, color=False)
    code = {"ropeguard", *(line.strip() for line in text.splitlines() if " = " in line)}
    for line in text.splitlines():
        # What is to be copied, a path, and an annotation stay whole.
        whole = line.strip() in code or line.lstrip().startswith(("at ", "Float[", "Bool[", "^"))
        assert len(line) <= width or whole, line


def test_colour_is_nothing_but_escapes_around_the_same_text():
    error = refusal(by_name)
    coloured = error.render(width=80, color=True)
    assert "\x1b[31m" in coloured
    assert "\x1b[32m" in coloured
    plain = coloured.replace("\x1b[31m", "").replace("\x1b[32m", "").replace("\x1b[0m", "")
    assert plain == error.render(width=80, color=False)
    assert "\x1b" not in str(error)


def test_the_sizes_are_told_with_who_says_so():
    text = refusal(by_name).render(width=200, color=False)
    assert "tokens = 8 (queries) or 7 (mask)" in text


def test_the_narrated_form_is_sentences():
    text = refusal(by_name).render(narrated=True)
    assert "Suggestion 1: write q = q.swapaxes(1, 2)." in text
    assert "which is the wrong one" in text
    for line in text.splitlines():
        assert line.endswith(".")
        assert "^" not in line
        assert "  " not in line


def test_json_is_one_line_with_the_suggestions():
    line = refusal(by_name).to_json()
    assert "\n" not in line
    data = json.loads(line)
    assert data["suggestions"][0]["code"] == "queries = queries.swapaxes(1, 2)"
    assert data["suggestions"][0]["changes"][0]["after"] == "float32 (2, 8, 7, 16)"
    assert data["call"]["file"] == __file__
    assert "recheck" not in data["violation"]


def test_markdown_has_a_table_and_code():
    text = refusal(by_name)._repr_markdown_()
    assert "| **&gt;** | `mask` | `bool (7, 11)` |" in text
    assert "```python\nq = q.swapaxes(1, 2)\n```" in text
    assert '`Bool[mx.array, "tokens seen"] \\| None`' in text


def test_every_form_says_how_many_arguments_its_table_left_out():
    names = [f"x{number}" for number in range(40)]
    parameters = ", ".join(f'{name}: Float[mx.array, "n"]' for name in names)
    namespace = {"mx": mx, "Float": Float}
    exec(f"def many({parameters}): pass", namespace)
    many = guard(namespace["many"])
    error = refusal(lambda: many(*[Z((3,))] * 39, Z((4,))))
    rows = str(error).count("float32 (")
    left = 40 - sum(f"| `{name}` |" in error._repr_markdown_() for name in names)
    assert 0 < left < 40
    assert rows >= 40 - left
    assert f"  and {left} more arguments" in str(error)
    assert f"\n\nand {left} more arguments\n\n" in error._repr_markdown_()
    assert f"There are {left} more arguments." in error.render(narrated=True)


def test_an_error_pickles_with_its_suggestions():
    error = refusal(by_name)
    again = pickle.loads(pickle.dumps(error))
    assert again.suggestions == error.suggestions
    assert str(again) == str(error)
    assert again.render(width=80, color=False) == error.render(width=80, color=False)


def test_a_statement_in_the_callers_names_repairs_the_call():
    q = Z((2, 7, 8, 16))
    with pytest.raises(ContractError) as caught:
        attend(q, K, K, MASK)
    namespace = {"q": q, "mx": mx}
    exec(caught.value.suggestions[0].shown, namespace)
    attend(namespace["q"], K, K, MASK)


def test_a_call_without_source_is_told_all_the_same():
    namespace = {"attend": attend, "q": Z((2, 7, 8, 16)), "K": K, "MASK": MASK}
    error = refusal(lambda: exec("attend(q, K, K, MASK)", namespace))
    assert error.call.file == "<string>"
    assert error.suggestions[0].shown == "queries = queries.swapaxes(1, 2)"
    assert error.render(width=80, color=False)


def test_a_field_that_is_assigned_is_suggested_for():
    import dataclasses

    @guard
    @dataclasses.dataclass
    class Cache:
        keys: Float[mx.array, "seen dim"]
        slots: Int32[mx.array, "seen"]

    cache = Cache(Z((4, 3)), Z((4,), mx.int32))
    with pytest.raises(ContractError) as caught:
        cache.keys = Z((3, 4))
    assert caught.value.suggestions[0].code == "keys = keys.swapaxes(-2, -1)"


def test_who_calls_in_turn_is_not_taken_for_the_call():
    q = [Z((2, 7, 8, 16))]
    error = refusal(lambda: list(map(attend, q, [K], [K], [MASK])))
    assert error.suggestions[0].shown == "queries = queries.swapaxes(1, 2)"


def test_a_method_is_called_by_its_object():
    class Block:
        @guard
        def __call__(self, x: Float[mx.array, "tokens 16"]):
            return x

    block, hidden = Block(), Z((16, 5))
    assert refusal(lambda: block(hidden)).suggestions[0].shown == "hidden = hidden.swapaxes(-2, -1)"


def test_nothing_of_a_source_line_acts_on_a_terminal():
    source = "attend(q, K, K, MASK, ** {}) # \x1b[31m"
    namespace = {"attend": attend, "q": Z((2, 7, 8, 16)), "K": K, "MASK": MASK}
    import linecache

    linecache.cache["<odd>"] = len(source), None, [f"{source}\n"], "<odd>"
    error = refusal(lambda: exec(compile(source, "<odd>", "exec"), namespace))
    assert error.suggestions[0].shown == "q = q.swapaxes(1, 2)"
    assert "\x1b" not in error.render(width=80, color=False)
    assert "\x1b" not in f"{error}{error._repr_markdown_()}{error.render(narrated=True)}"


def test_a_result_is_suggested_for_as_such():
    @guard
    def f(x: Float[mx.array, "n m"]) -> tuple[Float[mx.array, "m n"], Float[mx.array, "n"]]:
        return x, x[:, 0]

    error = refusal(lambda: f(Z((3, 4))))
    assert error.suggestions[0].code == "result = (result[0].swapaxes(-2, -1), result[1])"


def test_an_item_that_is_yielded_is_suggested_for():
    from collections.abc import Iterator

    @guard
    def batches(x: Float[mx.array, "rows dim"]) -> Iterator[Float[mx.array, "batch dim"]]:
        for row in range(x.shape[0]):
            yield x[row]

    assert refusal(lambda: next(batches(Z((3, 4))))).suggestions[0].code == "item = item[None]"


def test_a_record_names_its_fixer_and_words_the_suggestion():
    @guard
    def nearest(corpus: Float[mx.array, "documents dim"]):
        return corpus

    numpy = pytest.importorskip("numpy")
    vectors = numpy.zeros((5, 8))
    error = refusal(lambda: nearest(vectors))
    assert "       Convert `corpus` first: `mx.array(...)`" in str(error)
    assert error.suggestions[0].why == "`corpus`: it is no array of MLX yet"


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry["slug"])
def test_fixers_are_moves_and_their_solutions_read_fields_of_the_record(entry):
    for solution in entry["solutions"]:
        if solution["fixer"]:
            assert solution["fixer"] in ranking.COSTS
            assert set(parse(solution["text"])[1::2]) <= set(entry["fields"])


def test_a_page_of_a_pasted_diagnostic_is_filled_with_its_values(capsys):
    @guard
    def embed(tokens: Int32[mx.array, "batch tokens"]):
        return tokens

    error = refusal(lambda: embed(Z((2, 3), mx.uint32)))
    assert main(["explain", str(error)]) == 0
    assert "Cast `tokens` from uint32 to what is allowed, int32" in " ".join(
        capsys.readouterr().out.split()
    )
