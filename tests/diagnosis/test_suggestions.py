"""What is suggested repairs the call: every suggestion is run on the call's real arguments."""

import random
from typing import Annotated

import mlx.core as mx
import numpy as np
import pytest
from generated import contracts, wrong
from hypothesis import given, settings, strategies as st
from jaxtyping import Bool, Float, Int32
from mistakes import CASES
from suggestions import changed, refusal, stub

from ropeguard import ContractError, Distinct, InRange, SameDtype, guard, level, rope_pool_fused


A = mx.array
Z = mx.zeros
CONTRACTS = contracts()
GUARDED = [guard(stub(it.function)) for it in CONTRACTS]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.integers(0, len(CONTRACTS) - 1), st.integers(0, 2**32))
def test_every_suggestion_repairs_the_real_call(number, seed):
    arguments, _ = wrong(CONTRACTS[number], random.Random(seed), Z(()))
    error = refusal(GUARDED[number], arguments)
    for suggestion in () if error is None else error.suggestions:
        repaired = changed(suggestion.code, arguments)
        assert refusal(GUARDED[number], repaired) is None, suggestion.code


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case.component.function.__name__)
def test_suggestions_for_the_seeded_mistakes_repair_the_call(case):
    function = guard(stub(case.component.function))
    arguments = changed(case.mistake, case.component.arguments())
    for suggestion in refusal(function, arguments).suggestions:
        assert refusal(function, changed(suggestion.code, arguments)) is None
        assert suggestion.applicability in ("verified", "likely")
        assert suggestion.changes
        assert suggestion.why


@guard
def attend(
    q: Float[A, "batch heads tokens head_dim"],
    k: Float[A, "batch kv_heads seen head_dim"],
    v: Float[A, "batch kv_heads seen head_dim"],
    mask: Bool[A, "tokens seen"] | None = None,
):
    return q


@guard
def repeated(
    q: Float[A, "batch heads tokens head_dim"],
    k: Float[A, "batch heads seen head_dim"],
    v: Float[A, "batch heads seen head_dim"],
):
    return q


Q, K, MASK = (2, 8, 7, 16), (2, 2, 11, 16), mx.ones((7, 11), dtype=mx.bool_)


def first(call):
    with pytest.raises(ContractError) as caught:
        call()
    assert caught.value.suggestions, str(caught.value)
    return caught.value.suggestions[0]


def swapped(shape, i, j):
    return Z(shape).swapaxes(i, j)


MOVES = {
    "swapaxes": (lambda: attend(swapped(Q, 1, 2), Z(K), Z(K), MASK), "q = q.swapaxes(1, 2)"),
    "transpose": (
        lambda: attend(Z((7, 16, 2, 8)), Z(K), Z(K), MASK),
        "q = q.transpose(2, 3, 0, 1)",
    ),
    "split": (
        lambda: attend(Z((2, 7, 128)), Z(K), Z(K), MASK),
        "q = q.reshape(2, 7, 8, 16).swapaxes(1, 2)",
    ),
    "squeeze": (lambda: attend(Z(Q), Z(K), Z(K), MASK[None]), "mask = mask.squeeze(0)"),
    "all batched": (
        lambda: attend(Z(Q[1:]), Z(K[1:]), Z(K[1:]), MASK),
        "q = q[None]\nk = k[None]\nv = v[None]",
    ),
    "cast": (
        lambda: attend(Z(Q, mx.int32), Z(K, mx.bfloat16), Z(K, mx.bfloat16)),
        "q = q.astype(mx.bfloat16)",
    ),
    "swap": (lambda: attend(Z(K), Z(Q), Z(K)), "q, k = k, q"),
    "repeat": (
        lambda: repeated(Z(Q), Z(K), Z(K)),
        "k = mx.repeat(k, 4, axis=1)\nv = mx.repeat(v, 4, axis=1)",
    ),
    "wrap": (lambda: attend(np.zeros(Q), Z(K), Z(K)), "q = mx.array(q)"),
    "slice": (lambda: attend(Z(Q), Z(K), Z(K), mx.ones((9, 11)) > 0), "mask = mask[:7]"),
}


@pytest.mark.parametrize("move", MOVES)
def test_the_first_suggestion_is_what_one_would_write(move):
    call, code = MOVES[move]
    assert first(call).code == code


POOL = {
    "q": Z((4, 4, 64)), "k": Z((4, 2, 64)), "v": Z((4, 2, 64)), "positions": Z((4,), mx.int32),
    "slots": mx.arange(4, dtype=mx.int32), "k_pool": Z((8, 2, 64)), "v_pool": Z((8, 2, 64)) + 0,
    "head_dim": 64, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 1e4,
}  # fmt: skip
POOL_MISTAKES = {
    "num_kv_heads = 2": {"num_kv_heads": 4},
    "num_qo_heads = 4": {"num_qo_heads": 8},
    "head_dim = int(head_dim)": {"head_dim": 64.0},
    "slots = mx.array(slots)": {"slots": [0, 1, 2, 3]},
    "k_pool = mx.zeros((8, 2, 64), mx.float32)": {"k_pool": Z((8, 2, 128))},
    "q = q.squeeze(0)\nk = k.squeeze(0)\nv = v.squeeze(0)": {
        "q": Z((1, 4, 4, 64)), "k": Z((1, 4, 2, 64)), "v": Z((1, 4, 2, 64)),
    },
}  # fmt: skip


@pytest.mark.parametrize("code", POOL_MISTAKES)
def test_what_the_kernel_is_passed_wrongly(code):
    assert first(lambda: rope_pool_fused(**POOL | POOL_MISTAKES[code])).code == code


def test_two_fixes_that_mean_different_things_are_both_shown_with_the_difference():
    with pytest.raises(ContractError) as caught:
        attend(Z(Q), Z(K), Z(K), mx.ones((7, 14), dtype=mx.bool_))
    text = str(caught.value)
    assert "keeps the first 11 of 14" in text
    assert "keeps the last 11 of 14" in text
    with pytest.raises(ContractError) as caught:
        attend(Z(Q), Z(K), Z(K), Z((7, 11)))
    assert "== 0" in str(caught.value)
    assert "astype(mx.bool_)" in str(caught.value)


def test_where_nothing_passes_nothing_is_suggested():
    @guard
    def encode(x: Float[A, "batch frames 80"], name: str):
        return x

    with pytest.raises(ContractError) as caught:
        encode("three", "mel")
    assert caught.value.suggestions == ()
    assert "  fix:" not in str(caught.value)
    assert "  try:" in str(caught.value)


def test_a_reshape_that_mixes_axes_is_never_before_the_transposition():
    with pytest.raises(ContractError) as caught:
        attend(swapped(Q, 1, 2), Z(K), Z(K), MASK)
    codes = [it.code for it in caught.value.suggestions]
    assert codes[0] == "q = q.swapaxes(1, 2)"
    mixing = [it for it in caught.value.suggestions if "reshape" in it.code]
    assert all("mixes axes" in it.why and it.applicability == "likely" for it in mixing)


def test_the_layout_is_named():
    suggestion = first(lambda: attend(swapped(Q, 1, 2), Z(K), Z(K), MASK))
    assert "[batch, tokens, heads, head_dim]" in suggestion.why
    assert suggestion.changes[0].before == "float32 (2, 7, 8, 16)"
    assert suggestion.changes[0].after == "float32 (2, 8, 7, 16)"


def test_items_of_lists_and_tuples_are_repaired_in_their_place():
    @guard
    def f(layers: list[tuple[Float[A, "n d"], Float[A, "n d"]]]):
        return layers

    layers = [(Z((4, 3)), Z((4, 3))), (Z((4, 3)), Z((3, 4)))]
    suggestion = first(lambda: f(layers))
    assert suggestion.code == "layers[1] = (layers[1][0], layers[1][1].swapaxes(-2, -1))"
    f(**changed(suggestion.code, {"layers": layers}))


def test_arguments_that_are_gathered_are_repaired_too():
    @guard
    def f(*arrays: Float[A, "n d"], **named: Float[A, "n d"]):
        return arrays

    def call(arrays, named):
        return f(*arrays, **named)

    wrong_call = {"arrays": (Z((4, 3)), Z((3, 4))), "named": {"a": Z((4, 3)), "b": Z((3, 4))}}
    suggestion = first(lambda: call(**wrong_call))
    call(**changed(suggestion.code, wrong_call))


def test_relations_are_checked_with_the_shapes():
    @guard
    def f(
        k: Float[A, "pool d"],
        v: Annotated[Float[A, "pool d"], SameDtype("k"), Distinct("k")],
        n: int,
    ):
        return k

    suggestion = first(lambda: f(Z((4, 3), mx.float16), Z((3, 4)), 2))
    assert suggestion.code == "v = v.astype(mx.float16).swapaxes(-2, -1)"


def test_a_method_is_suggested_for_without_its_self():
    class Layer:
        width = 16

        @guard
        def __call__(self, x: Float[A, "tokens {self.width}"]):
            return x

    suggestion = first(lambda: Layer()(Z((16, 5))))
    assert suggestion.code == "x = x.swapaxes(-2, -1)"


def test_two_numbers_that_bound_each_other_are_not_exchanged():
    @guard
    def f(layers: int, caches: Annotated[int, InRange("layers", None)]):
        return layers

    with pytest.raises(ContractError) as caught:
        f(3, 2)
    assert not any("caches" in it.code and "layers" in it.code for it in caught.value.suggestions)


def test_a_mask_of_numbers_is_read_both_ways():
    @guard
    def f(q: Float[A, "t d"], mask: Bool[A, "t t"]):
        return q

    with pytest.raises(ContractError) as caught:
        f(Z((3, 4)), Z((3, 3)))
    found = {it.code: (it.applicability, it.why) for it in caught.value.suggestions}
    assert set(found) >= {"mask = mask == 0", "mask = mask.astype(mx.bool_)"}
    assert all(" if " in text for _, text in found.values())


def test_contracts_on_elements_are_no_business_of_a_search():
    @guard
    def f(slots: Annotated[Int32[A, "n"], InRange(0, 4)]):
        return slots

    with level("values"), pytest.raises(ContractError) as caught:
        f(mx.array([1, 9], mx.int32))
    assert caught.value.suggestions == ()
