"""Random calls against the oracle (item 60)."""

import mlx.core as mx
from hypothesis import given, settings, strategies as st
from rope_oracle import DTYPES, INT_MAX, INT_MIN, Case, assert_correct


@st.composite
def cases(draw):
    pool = draw(st.integers(1, 12))
    kv_heads = draw(st.integers(1, 3))
    tokens = draw(st.integers(0, 8) | st.integers(60, 68))
    inside = st.integers(0, pool - 1)
    outside = st.integers(-2, pool + 1) | st.sampled_from([INT_MIN, -pool, pool, INT_MAX])
    slot = inside | outside if draw(st.booleans()) else inside
    position = st.integers(0, 5000) | st.integers(0, INT_MAX) | st.sampled_from([0, INT_MAX])
    return Case(
        pool=pool,
        kv_heads=kv_heads,
        qo_heads=kv_heads * draw(st.integers(1, 3)),
        head_dim=2 * draw(st.integers(1, 16)),
        dtype=draw(st.sampled_from(DTYPES)),
        rope_base=draw(st.sampled_from([1e4, 10000.5, 5e5, 1e6, 1e7]) | st.floats(0.5, 1e9)),
        positions=tuple(draw(st.lists(position, min_size=tokens, max_size=tokens))),
        slots=tuple(draw(st.lists(slot, min_size=tokens, max_size=tokens))),
        seed=draw(st.integers(0, 2**16)),
    )


@given(cases(), st.booleans())
@settings(max_examples=500, deadline=None)
def test_item_60_random_calls(case, strided):
    if strided and case.tokens:
        arrays = {name: mx.repeat(x, 2, axis=-1)[..., ::2] for name, x in case.arrays.items()}
        assert_correct(case, case.call(**arrays))
    else:
        assert_correct(case)
