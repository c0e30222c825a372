"""Gradients of the outputs and of the pools (item 55)."""

import mlx.core as mx
import numpy as np
import pytest
from rope_oracle import DTYPES, Case, angles, bits, float64, from_bits, rotate, same_bits

from ropeguard.kernels.pool import place, write_rows


FLOATS = ("q", "k", "v", "k_pool", "v_pool")
SLOTS = (3, -1, 0, 3, 8)


def weights(case):
    shapes = [x.shape for x in case.call()]
    random = np.random.default_rng(11)
    return [
        mx.array(random.standard_normal(s).astype(np.float32)).astype(case.dtype) for s in shapes
    ]


def loss(case, given):
    """Return the weighted sum of all outputs as a function of the float arguments."""

    def weighted(*floats):
        result = case.call(**dict(zip(FLOATS, floats, strict=True)))
        return sum((x * w).astype(mx.float32).sum() for x, w in zip(result, given, strict=True))

    return weighted


def gradients(case, transform=lambda f: f):
    floats = [case.arrays[name] for name in FLOATS]
    function = transform(loss(case, weights(case)))
    return dict(zip(FLOATS, mx.grad(function, argnums=tuple(range(5)))(*floats), strict=True))


def expected_gradients(case):
    """Derive them by hand in float64: a rotation's transpose turns back."""
    arrays = case.arrays
    of_q, of_k, of_k_pool, of_v_pool = (float64(w) for w in weights(case))
    slots = arrays["slots"].tolist()
    last = {slot: token for token, slot in enumerate(slots) if 0 <= slot < case.pool}
    of_v = np.zeros(arrays["v"].shape)
    of_rows = of_k.copy()
    for slot, token in last.items():
        of_rows[token] += of_k_pool[slot]
        of_v[token] = of_v_pool[slot]
        of_k_pool[slot] = of_v_pool[slot] = 0
    theta = -angles(arrays["positions"].tolist(), case.rope_base, case.head_dim)
    values = (rotate(of_q, theta), rotate(of_rows, theta), of_v, of_k_pool, of_v_pool)
    return dict(zip(FLOATS, values, strict=True))


@pytest.mark.parametrize("slots", [(3,), SLOTS, (0, 1, 2, 9) * 20])
@pytest.mark.parametrize("dtype", DTYPES)
def test_item_55_gradients_are_the_transpose_in_float64(dtype, slots):
    case = Case(slots=slots, dtype=dtype)
    got, expected = gradients(case), expected_gradients(case)
    tolerance = {mx.float32: 5e-6, mx.float16: 1e-2, mx.bfloat16: 6e-2}[dtype]
    for name in FLOATS:
        assert got[name].dtype == dtype
        np.testing.assert_allclose(float64(got[name]), expected[name], atol=tolerance)


@pytest.mark.parametrize("name", ["v", "k_pool", "v_pool"])
def test_item_55_what_is_only_copied_has_an_exact_gradient(name):
    case = Case(slots=SLOTS, dtype=mx.bfloat16)
    np.testing.assert_array_equal(float64(gradients(case)[name]), expected_gradients(case)[name])


@pytest.mark.parametrize("angle", ["exact", "f32"])
@pytest.mark.parametrize("name", FLOATS)
def test_item_55_gradients_agree_with_finite_differences(name, angle):
    case = Case(slots=SLOTS, positions=(0, 1, 5, 100, 1000), angle=angle)
    given = weights(case)
    gradient = gradients(case)[name]
    direction = Case(slots=SLOTS, seed=21).arrays[name]
    floats = {n: case.arrays[n] for n in FLOATS}

    def at(step):
        moved = floats | {name: floats[name] + step * direction}
        result = case.call(**moved)
        return sum((float64(x) * float64(w)).sum() for x, w in zip(result, given, strict=True))

    # The outputs are linear in every float argument, so a large step is exact but for rounding.
    slope = (at(1.0) - at(-1.0)) / 2
    assert slope == pytest.approx((float64(gradient) * float64(direction)).sum(), abs=1e-4)


def test_item_55_gradients_agree_with_composed_operations():
    case = Case(slots=(3, 0, 5), positions=(0, 7, 100), angle="f32")
    given = weights(case)

    def rope(x):
        out = mx.fast.rope(
            x[:, :, None],
            8,
            traditional=False,
            base=1e4,
            scale=1.0,
            offset=case.arrays["positions"],
        )
        return out[:, :, 0]

    def composed(q, k, v, k_pool, v_pool):
        slots = case.arrays["slots"]
        k_rot = rope(k)
        result = rope(q), k_rot, mx.array(k_pool), mx.array(v_pool)
        result[2][slots], result[3][slots] = k_rot, v
        return sum((x * w).sum() for x, w in zip(result, given, strict=True))

    floats = [case.arrays[name] for name in FLOATS]
    for got, expected in zip(
        gradients(case).values(), mx.grad(composed, argnums=tuple(range(5)))(*floats), strict=True
    ):
        np.testing.assert_allclose(float64(got), float64(expected), atol=1e-5)


def test_item_55_checkpointed_gradients_have_the_same_bits():
    case = Case(slots=SLOTS, dtype=mx.float16)
    other = gradients(case, mx.checkpoint)
    assert all(same_bits(x, other[name]) for name, x in gradients(case).items())


def test_item_55_compiled_gradients():
    case = Case(slots=SLOTS)
    other = gradients(case, mx.compile)
    for name, x in gradients(case).items():
        np.testing.assert_allclose(float64(x), float64(other[name]), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_55_rows_full_of_ones_and_zeros_have_ordinary_gradients(dtype):
    kind = np.uint32 if dtype == mx.float32 else np.uint16
    for word in (np.iinfo(kind).max, 0):
        pool = from_bits(np.full((8, 2, 8), word, dtype=kind), dtype)
        rows = from_bits(np.full((5, 2, 8), word, dtype=kind), dtype)
        case = Case(slots=SLOTS, dtype=dtype).with_(k_pool=pool, v_pool=pool[...], v=rows)
        got, expected = gradients(case), expected_gradients(case)
        for name in ("k_pool", "v_pool", "v"):
            np.testing.assert_array_equal(float64(got[name]), expected[name])


def test_item_55_infinite_cotangents_stay_out_of_written_rows():
    pool, rows = mx.zeros((4, 1, 2)), mx.ones((2, 1, 2))
    placement = place(mx.array([1, -1]), 4)
    _, (to_pool, to_rows) = mx.vjp(
        lambda p, r: write_rows(p, r, placement), [pool, rows], [mx.full((4, 1, 2), float("inf"))]
    )
    assert to_pool[:, 0, 0].tolist() == [float("inf"), 0, float("inf"), float("inf")]
    assert to_rows[:, 0, 0].tolist() == [float("inf"), 0]


@pytest.mark.parametrize("axis", [0, 3])
@pytest.mark.parametrize("batched", range(1, 16))
def test_item_55_gradient_of_vmap_over_any_choice_of_arguments(batched, axis):
    slots = mx.array([0, -1, 5])
    placement = place(slots, 8)
    arrays = [Case(dtype=mx.bfloat16).arrays[n] for n in ("k_pool", "k")] + [*placement]
    weight = Case(dtype=mx.bfloat16, seed=3).arrays["k_pool"]
    chosen = [bool(batched & 1 << i) for i in range(4)]
    axes = tuple((axis if i == 0 else 0) if c else None for i, c in enumerate(chosen))
    stacked = [
        x if a is None else mx.stack([x, x], axis=a) for x, a in zip(arrays, axes, strict=True)
    ]

    def write(pool, rows, row, winners):
        return write_rows(pool, rows, placement._replace(rows=row, winners=winners))

    def single(pool, rows):
        return (write(pool, rows, *placement) * weight).sum()

    def both(pool, rows):
        return (mx.vmap(write, in_axes=axes)(pool, rows, *stacked[2:]) * weight).sum()

    expected = mx.grad(single, argnums=(0, 1))(*arrays[:2])
    for got, once, a in zip(
        mx.grad(both, argnums=(0, 1))(*stacked[:2]), expected, axes[:2], strict=True
    ):
        # What is not batched takes part twice.
        assert mx.array_equal(got, 2 * once if a is None else mx.stack([once, once], axis=a))


def test_item_55_vmap_of_gradients():
    cases = [Case(slots=SLOTS, seed=seed) for seed in range(2)]
    given = weights(cases[0])
    shared = cases[0].arrays

    def gradient(*floats):
        return mx.grad(loss(cases[0].with_(**shared), given), argnums=tuple(range(5)))(*floats)

    stacked = [mx.stack([c.arrays[name] for c in cases]) for name in FLOATS]
    batched = mx.vmap(gradient)(*stacked)
    for i, case in enumerate(cases):
        single = gradient(*(case.arrays[name] for name in FLOATS))
        for got, expected in zip(batched, single, strict=True):
            np.testing.assert_allclose(float64(got[i]), float64(expected), atol=1e-6)


def test_item_55_second_derivatives_pass_through_the_pool():
    case = Case(slots=SLOTS)
    given = weights(case)[3]

    def cubic(v):
        return (case.call(v=v * v * v)[3] * given).sum()

    def slope(v):
        return mx.grad(cubic)(v).sum()

    v = case.arrays["v"]
    plain = mx.grad(lambda r: mx.grad(lambda x: (write_rows_of(case, x) * given).sum())(r).sum())(v)
    assert mx.allclose(mx.grad(slope)(v), plain, atol=1e-5)
    assert bits(plain).any()


def write_rows_of(case, v):
    """Write cubes by gathering: an independent way, differentiable by MLX alone."""
    slots = case.arrays["slots"].tolist()
    last = {slot: token for token, slot in enumerate(slots) if 0 <= slot < case.pool}
    chosen = [
        (v * v * v)[last[s]] if s in last else case.arrays["v_pool"][s] for s in range(case.pool)
    ]
    return mx.stack(chosen)


def test_item_55_a_training_step_gives_no_gradient_to_slots_and_positions():
    case = Case(slots=SLOTS)
    arrays = case.arrays
    with pytest.raises(ValueError, match=r"(?i)gradient|vjp"):
        mx.grad(lambda slots: case.call(slots=slots)[3].sum())(arrays["slots"])
