"""What the rotation does to queries and keys (items 5 to 12, 35, 36, 42 and 65)."""

import mlx.core as mx
import numpy as np
import pytest
from rope_oracle import (
    DTYPES,
    INT_MAX,
    Case,
    angles,
    assert_correct,
    assert_rotated,
    assert_written,
    bits,
    float64,
    from_bits,
    rotate,
    same_bits,
)

from ropeguard import rope_pool_fused


WORDS = {mx.float16: np.uint16, mx.bfloat16: np.uint16, mx.float32: np.uint32}
SPECIAL = {
    # quiet and signalling NaN with payloads, infinities, zeros, the least and the largest
    mx.float32: (0x7FC12345, 0xFFA00001, 0x7F800000, 0xFF800000, 0x80000000, 0, 1, 0x7F7FFFFF),
    mx.float16: (0x7E01, 0xFD01, 0x7C00, 0xFC00, 0x8000, 0, 1, 0x7BFF),
    mx.bfloat16: (0x7FC1, 0xFF81, 0x7F80, 0xFF80, 0x8000, 0, 1, 0x7F7F),
}


def mlx_rope(x, positions, rope_base):
    out = mx.fast.rope(
        x[:, :, None],
        x.shape[-1],
        traditional=False,
        base=rope_base,
        scale=1.0,
        offset=positions,
    )
    return out[:, :, 0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_5_position_0_keeps_every_bit(dtype):
    words = np.resize(np.array(SPECIAL[dtype], dtype=WORDS[dtype]), 4 * 64)
    np.random.default_rng(0).shuffle(words)
    x = from_bits(words.reshape(2, 2, 64), dtype)
    case = Case(positions=(0, 0), head_dim=64, qo_heads=2, dtype=dtype).with_(q=x, k=x)
    q_rot, k_rot, *_ = case.call()
    assert same_bits(q_rot, x)
    assert same_bits(k_rot, x)


def test_item_5_position_0_keeps_bits_beside_positions_that_turn():
    case = Case(positions=(0, 7, 0), dtype=mx.float16)
    q_rot = case.call()[0]
    q = case.arrays["q"]
    assert [same_bits(q_rot[t], q[t]) for t in range(3)] == [True, False, True]


def test_item_6_rotation_keeps_the_norm_of_every_pair():
    case = Case(tokens=64, head_dim=64)
    q, q_rot = float64(case.arrays["q"]), float64(case.call()[0])

    def norms(x):
        return np.hypot(*np.split(x, 2, axis=-1))

    np.testing.assert_allclose(norms(q_rot), norms(q), rtol=1e-6)


@pytest.mark.parametrize("start", [0, 10**6, 2**30])
def test_item_7_scores_depend_on_the_distance_alone(start):
    def score(m, n):
        case = Case(positions=(m, n), qo_heads=1, kv_heads=1, head_dim=64)
        q, k = case.arrays["q"], case.arrays["k"]
        case = case.with_(q=mx.stack([q[0], q[0]]), k=mx.stack([k[0], k[0]]))
        q_rot, k_rot, *_ = case.call()
        return float(float64(q_rot)[0, 0] @ float64(k_rot)[1, 0])

    assert score(start + 37, start + 5) == pytest.approx(score(32, 0), abs=1e-4)


def test_item_8_the_opposite_position_turns_back():
    there = Case(positions=(1, 12_345, INT_MAX), head_dim=64)
    q = there.arrays["q"]
    back = Case(positions=(-1, -12_345, -INT_MAX), head_dim=64).with_(q=there.call()[0])
    np.testing.assert_allclose(float64(back.call()[0]), float64(q), atol=5e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rope_base", [1e4, 5e5, 10000.5, 7])
def test_item_9_one_rounding_from_float64(dtype, rope_base):
    positions = (1, 2, 4095, 131_071, 2**24 + 1, INT_MAX)
    case = Case(positions=positions, head_dim=64, dtype=dtype, rope_base=rope_base)
    assert_correct(case)


def test_item_9_large_and_small_values_are_rounded_relative_to_their_pair():
    case = Case(tokens=32, head_dim=64)
    scales = np.float32(10.0) ** np.random.default_rng(1).integers(-30, 30, (32, 4, 32))
    scales = np.concatenate([scales, scales], axis=-1).astype(np.float32)
    q = case.arrays["q"] * mx.array(scales)
    assert_rotated(case.call(q=q)[0], q, case.arrays["positions"].tolist(), 1e4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_10_special_values_stay_in_their_pair(dtype):
    for word in SPECIAL[dtype]:
        for element in (0, 3, 5):
            case = Case(positions=(77,), dtype=dtype)
            clean = case.arrays["q"]
            words = bits(clean).copy()
            words[0, 1, element] = word
            spoilt = case.call(q=from_bits(words, dtype))[0]
            same = bits(case.call()[0]) == bits(spoilt)
            pair = {element, (element + 4) % 8}
            assert same[0, [0, 2, 3]].all()
            assert all(same[0, 1, i] for i in range(8) if i not in pair)


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_10_nan_and_infinity_reach_both_halves_of_their_pair(dtype):
    case = Case(positions=(1,), head_dim=2, dtype=dtype)
    for value in (float("nan"), float("inf")):
        q = mx.full((1, 4, 2), value).astype(dtype) * mx.array([1, 0.5]).astype(dtype)
        assert not np.isfinite(float64(case.call(q=q)[0])).any()


def test_item_10_denormals_are_rotated_not_flushed():
    q = from_bits(np.full((1, 4, 8), 0x00000400, dtype=np.uint32), mx.float32)
    case = Case(positions=(5,)).with_(q=q)
    assert_rotated(case.call()[0], q, [5], 1e4)
    assert np.count_nonzero(bits(case.call()[0])) == 32


def test_item_11_float16_overflows_to_infinity_only_past_its_range():
    q = mx.full((1, 4, 8), 65504).astype(mx.float16)
    case = Case(positions=(1,), dtype=mx.float16).with_(q=q)
    got = float64(case.call()[0])
    exact = rotate(float64(q), angles([1], 1e4, 8))
    # 65520 is half way to the number after the largest: from there on it rounds to infinity.
    np.testing.assert_array_equal(np.isinf(got), np.abs(exact) >= 65520)
    assert np.isinf(got).any()
    assert np.isfinite(got).any()


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_12_f32_angles_are_mx_fast_rope_bit_for_bit(dtype):
    positions = (0, 1, 4095, 131_071, 2**24, 2**24 + 1, INT_MAX)
    case = Case(positions=positions, head_dim=64, dtype=dtype, rope_base=5e5, angle="f32")
    arrays = case.arrays
    result = case.call()
    assert same_bits(result[0], mlx_rope(arrays["q"], arrays["positions"], 5e5))
    assert same_bits(result[1], mlx_rope(arrays["k"], arrays["positions"], 5e5))
    assert_written(arrays, result)


def test_item_12_f32_angles_take_an_integer_base():
    assert same_bits(
        Case(rope_base=10_000, angle="f32").call()[0],
        Case(rope_base=10_000.0, angle="f32").call()[0],
    )


@pytest.mark.parametrize(
    "tokens", [1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 255, 256, 257, 4096, 65_535, 65_536, 70_000]
)
def test_item_35_any_number_of_tokens(tokens):
    case = Case(tokens=tokens, pool=16, qo_heads=1, kv_heads=1, head_dim=2)
    arrays, result = case.arrays, case.call()
    assert [x.shape for x in result] == [(tokens, 1, 2), (tokens, 1, 2), (16, 1, 2), (16, 1, 2)]
    if tokens <= 4096:
        assert_correct(case, result)
    else:
        positions = arrays["positions"].tolist()[-3:]
        assert_rotated(result[0][-3:], arrays["q"][-3:], positions, 1e4)
        assert_written(arrays, result)


@pytest.mark.parametrize("angle", ["exact", "f32"])
def test_item_35_no_tokens_returns_everything_as_it_is(angle):
    case = Case(tokens=0, angle=angle)
    arrays = case.arrays
    result = rope_pool_fused(**arrays, **case.numbers)
    expected = (arrays[name] for name in ("q", "k", "k_pool", "v_pool"))
    assert all(x is y for x, y in zip(result, expected, strict=True))


@pytest.mark.parametrize("angle", ["exact", "f32"])
def test_item_35_no_tokens_and_no_pool(angle):
    shapes = [x.shape for x in Case(tokens=0, pool=0, angle=angle).call()]
    assert shapes == [(0, 4, 8), (0, 2, 8), (0, 2, 8), (0, 2, 8)]


@pytest.mark.parametrize("heads", [(1, 1), (32, 8), (28, 4), (71, 1), (8, 8)])
def test_item_36_any_grouping_of_heads(heads):
    assert_correct(Case(qo_heads=heads[0], kv_heads=heads[1], dtype=mx.bfloat16))


def test_item_42_one_array_as_q_k_and_v():
    x = Case(kv_heads=4).arrays["q"]
    assert_correct(Case(kv_heads=4).with_(q=x, k=x, v=x))


@pytest.mark.parametrize("rope_base", [1e4, 5e5])
def test_item_65_agrees_with_float32_implementations_at_small_positions(rope_base):
    case = Case(positions=(1, 100, 1000, 4000), head_dim=128, rope_base=rope_base)
    q, positions = case.arrays["q"], case.arrays["positions"]
    got = float64(case.call()[0])
    inv_freq = np.float32(1) / np.float32(rope_base) ** (
        np.arange(0, 128, 2, dtype=np.float32) / 128
    )
    theta = (np.array(positions, dtype=np.float32)[:, None] * inv_freq).astype(np.float64)
    np.testing.assert_allclose(got, rotate(float64(q), theta), atol=4e-3)
    np.testing.assert_allclose(got, float64(mlx_rope(q, positions, rope_base)), atol=4e-3)
