"""What the write does to the pools, to the last byte (items 21 to 30 and 44)."""

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rope_oracle import (
    DTYPES,
    INT_MAX,
    INT_MIN,
    Case,
    assert_correct,
    bits,
    from_bits,
    same_bits,
    written,
)

from ropeguard.kernels.pool import place, write_rows


P = 8
NEVER_WRITTEN = (-1, -P, -P - 1, INT_MIN, P, P + 1, 10**7, INT_MAX)


@pytest.mark.parametrize("dtype", DTYPES)
def test_items_21_22_23_only_the_written_rows_change(dtype):
    case = Case(slots=(3, 0, 7), dtype=dtype)
    old, (_, k_rot, k_pool, v_pool) = case.arrays, case.call()
    for slot in range(P):
        token = {3: 0, 0: 1, 7: 2}.get(slot)
        assert same_bits(k_pool[slot], old["k_pool"][slot] if token is None else k_rot[token])
        assert same_bits(v_pool[slot], old["v_pool"][slot] if token is None else old["v"][token])


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_22_value_rows_keep_every_bit_pattern(dtype):
    word, kind = (np.uint32, "I") if dtype == mx.float32 else (np.uint16, "H")
    words = np.frombuffer(np.random.default_rng(3).bytes(2 * 64 * np.dtype(kind).itemsize), kind)
    words = words.reshape(2, 2, 32).copy()
    words[0, 0, :4] = [np.iinfo(word).max, 0, np.iinfo(word).max // 2, np.iinfo(word).max // 2 + 1]
    v = from_bits(words, dtype)
    v_pool = Case(slots=(5, 1), head_dim=32, dtype=dtype).call(v=v)[3]
    np.testing.assert_array_equal(bits(v_pool)[[5, 1]], words)


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_21_rows_that_stay_keep_every_bit_pattern(dtype):
    kind = np.dtype("I" if dtype == mx.float32 else "H")
    words = np.frombuffer(np.random.default_rng(4).bytes(P * 64 * kind.itemsize), kind)
    words = words.reshape(P, 2, 32).copy()
    words[0] = np.iinfo(kind).max
    pool = from_bits(words, dtype)
    case = Case(slots=(-1, P, 5), head_dim=32, dtype=dtype).with_(v_pool=pool, k_pool=pool[...])
    v_pool = case.call()[3]
    others = [slot for slot in range(P) if slot != 5]
    np.testing.assert_array_equal(bits(v_pool)[others], words[others])


@pytest.mark.parametrize("tokens", [1, 3, 70])
@pytest.mark.parametrize("slot", NEVER_WRITTEN)
def test_items_24_25_26_a_slot_outside_the_pool_writes_nothing(slot, tokens):
    case = Case(slots=(slot,) * tokens)
    old, (q_rot, k_rot, k_pool, v_pool) = case.arrays, case.call()
    assert same_bits(k_pool, old["k_pool"])
    assert same_bits(v_pool, old["v_pool"])
    rotated = Case(slots=(0,) * tokens).call()
    assert same_bits(q_rot, rotated[0])
    assert same_bits(k_rot, rotated[1])


@pytest.mark.parametrize("slot", NEVER_WRITTEN)
def test_item_26_rows_around_the_pool_keep_their_bytes(slot):
    case = Case(slots=(slot, 2, slot))
    around = Case(pool=3 * P, seed=9).arrays["k_pool"]
    before = bits(around).copy()
    k_pool = case.call(k_pool=around[P : 2 * P])[2]
    mx.eval(k_pool)
    np.testing.assert_array_equal(bits(around), before)
    np.testing.assert_array_equal(
        bits(k_pool)[[0, 1, *range(3, P)]], before[P:][[0, 1, *range(3, P)]]
    )


@pytest.mark.parametrize(
    "slots", [(0,), (P - 1,), (0, P - 1), (P - 1, 0), (-1, 0), (0, -1), (P, 0)]
)
def test_item_27_the_first_and_the_last_slot(slots):
    assert_correct(Case(slots=slots))


@pytest.mark.parametrize(
    "slots",
    [
        (4, 4),
        (4, 4, 4),
        (4, 1, 4),
        (0, -1, 0, P, 0),
        (-1, -1),
        (1, 2, 1, 2),
        (4,) * 70,
        (0, 1) * 50,
    ],
)
def test_item_28_the_last_token_of_a_slot_wins_whole(slots):
    assert_correct(Case(slots=slots, dtype=mx.bfloat16))


def test_item_28_equal_rows_in_one_slot():
    case = Case(slots=(4, 4), positions=(9, 9))
    row = case.arrays["k"][:1]
    case = case.with_(k=mx.concatenate([row, row]), v=mx.concatenate([row, row]))
    assert_correct(case)


@given(st.lists(st.integers(-2, 12), min_size=1, max_size=100), st.integers(1, 10))
@settings(max_examples=150, deadline=None)
def test_item_28_any_slots(slots, pool):
    old = mx.arange(pool * 2, dtype=mx.float32).reshape(pool, 1, 2)
    rows = 1000 + mx.arange(len(slots) * 2, dtype=mx.float32).reshape(-1, 1, 2)
    new = write_rows(old, rows, place(mx.array(slots, dtype=mx.int32), pool))
    np.testing.assert_array_equal(bits(new), written(old, rows, slots))


def test_item_29_tokens_in_another_order_make_the_same_pools():
    case = Case(slots=(6, -1, 2, 0, P, 5))
    order = mx.array([3, 0, 5, 1, 4, 2])
    shuffled = {name: case.arrays[name][order] for name in ("q", "k", "v", "positions", "slots")}
    for pool, other in zip(case.call()[2:], case.call(**shuffled)[2:], strict=True):
        assert same_bits(pool, other)


@pytest.mark.parametrize("slots", [(0,), (-1,), (1,), (0, 0), (1, 0, -1)])
def test_item_30_a_pool_of_one_row(slots):
    assert_correct(Case(slots=slots, pool=1))


@pytest.mark.parametrize("slots", [(0,), (-1, 0, 1)])
def test_item_30_a_pool_of_no_rows_takes_nothing(slots):
    q_rot, k_rot, k_pool, v_pool = Case(slots=slots, pool=0).call()
    expected = Case(slots=slots).call()
    assert same_bits(q_rot, expected[0])
    assert same_bits(k_rot, expected[1])
    assert k_pool.shape == v_pool.shape == (0, 2, 8)


@pytest.mark.parametrize("head_dim", [2, 4, 6, 10, 64, 80])
@pytest.mark.parametrize("dtype", DTYPES)
def test_item_4_any_even_head_dim_fits_into_words(head_dim, dtype):
    assert_correct(Case(slots=(7, -1, 0), head_dim=head_dim, dtype=dtype))


def test_item_44_unevaluated_arguments():
    case = Case(slots=(7, -1, 0))
    lazy = {name: x + mx.zeros_like(x) for name, x in case.arrays.items()}
    assert_correct(case, case.call(**lazy))
