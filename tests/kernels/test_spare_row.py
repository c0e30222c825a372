"""Writing in one pass, into a pool with a row whose content does not matter."""

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rope_oracle import DTYPES, INT_MAX, INT_MIN, Case, bits, same_bits, written
from test_ownership import CASE, Copies, fresh_pool, tokens

from ropeguard import ContractError, backend, level, rope_pool_fused
from ropeguard.kernels import pool as placing
from ropeguard.kernels.pool import place, place_rows


OUTSIDE = (INT_MIN, -9, -1, 8, 9, INT_MAX)
NAMES = ("q", "k", "v", "positions", "slots", "k_pool", "v_pool")


def call(case, spare, **replaced):
    return rope_pool_fused(**{**case.arrays, **replaced}, **case.numbers, spare_row=spare)


def assert_kept(case, spare, result):
    """Compare with the call without a spare row, in all rows but that one."""
    arrays, plain = case.arrays, case.call()
    slots = arrays["slots"].tolist()
    others = [row for row in range(case.pool) if row != spare]
    assert all(same_bits(x, y) for x, y in zip(result[:2], plain[:2], strict=True))
    for pool, rows, got in (
        (arrays["k_pool"], plain[1], result[2]),
        (arrays["v_pool"], arrays["v"], result[3]),
    ):
        np.testing.assert_array_equal(bits(got)[others], written(pool, rows, slots)[others])


@settings(deadline=None, max_examples=60)
@given(
    slots=st.lists(st.one_of(st.integers(0, 7), st.sampled_from(OUTSIDE)), min_size=1, max_size=90),
    spare=st.integers(0, 7),
    dtype=st.sampled_from(DTYPES),
)
def test_every_row_but_the_spare_one_is_that_of_the_two_passes(slots, spare, dtype):
    case = Case(slots=tuple(slots), dtype=dtype)
    assert_kept(case, spare, call(case, spare))


@pytest.fixture(params=["elements", "words"])
def _way(request, monkeypatch):
    """Write rows by their elements, and as words."""
    monkeypatch.setattr(placing, "_WORDS_TOKENS", {"elements": 10**9, "words": 1}[request.param])


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("count", [1, 3, 511, 700])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_are_the_same_by_elements_and_as_words(dtype, count):
    case = Case(count, 800, dtype=dtype, seed=count)
    assert_kept(case, 5, call(case, 5))


@pytest.mark.parametrize("count", [3, 600])
def test_a_spare_row_may_be_written_like_any_other(count):
    case = Case(slots=(*range(1, count), 0), pool=count)
    result = call(case, 0)
    assert same_bits(result[2][0], result[1][-1])


@pytest.mark.parametrize("slots", [(), (-1,), (8, 8)])
def test_nothing_to_write_changes_nothing_else(slots):
    case = Case(0 if not slots else len(slots), slots=slots or None)
    result = call(case, 3)
    others = [row for row in range(8) if row != 3]
    for name, got in zip(("k_pool", "v_pool"), result[2:], strict=True):
        np.testing.assert_array_equal(bits(got)[others], bits(case.arrays[name])[others])


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("count", [4, 600])
def test_a_pool_of_one_owner_is_written_in_place(count):
    given = tokens(count)
    pools = [fresh_pool() for _ in "kv"]
    mx.eval(given)
    with Copies() as copies:
        _, _, *pools = rope_pool_fused(*given, *pools, **NUMBERS, spare_row=16_383)
        mx.eval(pools)
    assert copies.count < 0.5


NUMBERS = Case(qo_heads=8, kv_heads=8, head_dim=128).numbers


def test_a_pool_that_somebody_holds_keeps_its_rows():
    arrays = CASE.arrays
    before = bits(arrays["k_pool"]).copy()
    result = call(CASE, 7, k_pool=arrays["k_pool"])
    mx.eval(result)
    np.testing.assert_array_equal(bits(arrays["k_pool"]), before)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("count", [3, 520])
def test_gradients_are_those_of_the_two_passes_where_the_spare_row_has_none(count):
    case = Case(count, count + 3, seed=5)
    arrays = [case.arrays[name] for name in NAMES]

    def loss(spare, *floats):
        q, k, v, k_pool, v_pool = floats
        result = rope_pool_fused(
            q, k, v, *arrays[3:5], k_pool, v_pool, **case.numbers, spare_row=spare
        )
        rows = mx.arange(case.pool)[:, None, None] != 1
        return sum((mx.sin(x) * rows if i > 1 else mx.sin(x)).sum() for i, x in enumerate(result))

    floats = (*arrays[:3], *arrays[5:])
    ours, theirs = (
        mx.grad(lambda *x, spare=spare: loss(spare, *x), range(5))(*floats) for spare in (1, None)
    )
    for x, y in zip(ours[:3], theirs[:3], strict=True):
        assert mx.allclose(x, y, rtol=1e-5, atol=1e-5)
    others = mx.array([row for row in range(case.pool) if row != 1])
    for x, y in zip(ours[3:], theirs[3:], strict=True):
        assert mx.allclose(x[others], y[others], rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("count", [3, 520])
def test_vmap_and_compile_give_the_same_rows(count):
    cases = [Case(count, count + 3, seed=seed, dtype=mx.bfloat16) for seed in (1, 2)]

    def run(*arrays):
        return rope_pool_fused(*arrays, **cases[0].numbers, spare_row=2)

    stacked = [mx.stack([case.arrays[name] for case in cases]) for name in NAMES]
    with backend("composed"):
        batched = mx.vmap(run)(*stacked)
    for i, case in enumerate(cases):
        assert_kept(case, 2, [x[i] for x in batched])
    compiled = mx.compile(run)(*(cases[0].arrays[name] for name in NAMES))
    others = [row for row in range(cases[0].pool) if row != 2]
    np.testing.assert_array_equal(
        bits(compiled[3])[others],
        written(cases[0].arrays["v_pool"], cases[0].arrays["v"], cases[0].arrays["slots"].tolist())[
            others
        ],
    )


@pytest.mark.parametrize("spare", [-1, 8, 2**40])
def test_a_spare_row_outside_the_pool_is_refused(spare):
    with pytest.raises(ContractError, match="spare_row") as caught:
        call(Case(), spare)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("spare", [1.0, "1", mx.array(1)])
def test_a_spare_row_is_a_number(spare):
    with pytest.raises(ContractError, match="spare_row"):
        call(Case(), spare)


def test_slots_are_still_checked_at_level_values():
    with level("values"), pytest.raises(ContractError, match="slots"):
        call(Case(slots=(1, 8, 2)), 3)


@settings(deadline=None, max_examples=50)
@given(
    slots=st.lists(
        st.one_of(st.integers(0, 9), st.sampled_from(OUTSIDE)), min_size=1, max_size=120
    ),
    spare=st.integers(-1, 20),
)
def test_rows_are_the_slots_of_the_winners(slots, spare):
    rows = place_rows(mx.array(slots, dtype=mx.int32), 8, spare).tolist()
    index, winners = (x.tolist() for x in place(mx.array(slots, dtype=mx.int32), 8))
    last = {slot: token for token, slot in enumerate(slots)}
    expected = [
        slot if 0 <= slot < 8 and last[slot] == token else spare for token, slot in enumerate(slots)
    ]
    assert rows == expected
    assert winners == [0 <= s < 8 and last[s] == t for t, s in enumerate(slots)]
    assert all(0 <= row < 8 for row in index)
