"""The kernel on the GPU of this machine, if it has one; everything else here runs there too."""

import mlx.core as mx
import numpy as np
import pytest
from angle_bits import BASES, SPECIAL, assert_angle_bits
from rope_oracle import DTYPES, Case, assert_correct, assert_rotated, bits, same_bits, written

from ropeguard import KVPool, backend, rope_pool_fused
from ropeguard.kernels import composed, launch
from ropeguard.kernels.angles import phases, step_array
from ropeguard.kernels.choosing import COMPOSED, current_backend
from ropeguard.kernels.pool import place_rows
from ropeguard.kernels.rotation import rotate


HERE = current_backend()
if HERE == COMPOSED:
    pytest.skip("no GPU that the kernel runs on", allow_module_level=True)
TOLERANCE = {mx.float32: 2e-6, mx.float16: 4e-3, mx.bfloat16: 4e-2}


def run(q, k, positions, rope_base):
    return launch.launch(q, k, positions, rope_base=rope_base, backend=HERE)


def close(x, y):
    return mx.allclose(
        x.astype(mx.float32), y.astype(mx.float32), rtol=TOLERANCE[x.dtype], atol=TOLERANCE[x.dtype]
    ).item()


def test_items_1_and_13_cosines_and_sines_have_the_bits_of_every_backend():
    assert_angle_bits(run)


def test_item_13_phases_are_those_of_the_composed_path():
    at = "thread_position_in_grid.x"
    make = mx.fast.cuda_kernel if HERE == "cuda" else mx.fast.metal_kernel
    kernel = make(
        name="ropeguard_phases",
        input_names=["positions", "steps"],
        output_names=["out"],
        header=launch.source(HERE)[0],
        source=f"if ({at} < {32 * len(SPECIAL)}) {{ out[{at}] = "
        f"ropeguard::phase(positions[{at} / 32], steps[{at} % 32]); }}",
    )
    positions = mx.array(SPECIAL, dtype=mx.int32)
    for base in BASES:
        (out,) = kernel(
            inputs=[positions, step_array(base, 64)],
            grid=(32 * len(SPECIAL), 1, 1),
            threadgroup=(256, 1, 1),
            output_shapes=[(len(SPECIAL), 32)],
            output_dtypes=[mx.int32],
        )
        assert mx.array_equal(out, phases(positions, base, 64))


@pytest.mark.parametrize("tokens", [1, 65, 257])
@pytest.mark.parametrize("heads", [(1, 1), (32, 8), (71, 1), (3, 5)])
@pytest.mark.parametrize("head_dim", [2, 6, 80, 128])
@pytest.mark.parametrize("dtype", DTYPES)
def test_items_4_9_35_36_every_shape(dtype, head_dim, heads, tokens):
    arrays = Case(tokens, 8, *heads, head_dim, dtype).arrays
    q, k, positions = arrays["q"], arrays["k"], arrays["positions"]
    for x, out in zip((q, k), run(q, k, positions, 1e4), strict=True):
        assert_rotated(out, x, positions.tolist(), 1e4)


def test_item_35_more_tokens_than_a_grid_has_blocks():
    q = mx.random.normal((70_000, 1, 8))
    positions = mx.arange(70_000, dtype=mx.int32)
    expected = composed.rotate_exactly(q, q, positions, 1e4)[0]
    assert mx.abs(run(q, q, positions, 1e4)[0] - expected).max() < 2e-6


@pytest.mark.parametrize("start", range(9))
@pytest.mark.parametrize("dtype", DTYPES)
def test_item_41_views_that_begin_at_any_element(dtype, start):
    flat = mx.random.normal((9 * 10 * 64 + 16,)).astype(dtype)
    positions = mx.arange(9, dtype=mx.int32)
    q = flat[start : start + 9 * 8 * 64].reshape(9, 8, 64)
    k = flat[start + 3 : start + 3 + 9 * 2 * 64].reshape(9, 2, 64)
    expected = run(q + 0, k + 0, positions, 1e4)
    assert all(same_bits(x, y) for x, y in zip(run(q, k, positions, 1e4), expected, strict=True))


@pytest.mark.parametrize("tokens", [9, 600, 2000])
@pytest.mark.parametrize("start", range(1, 9, 2))
@pytest.mark.parametrize("dtype", DTYPES)
def test_item_41_values_that_begin_at_any_element_are_written(dtype, start, tokens):
    case = Case(tokens, 2100, dtype=dtype)
    arrays = case.arrays
    flat = mx.concatenate([mx.zeros((start,), dtype), arrays["v"].flatten()])
    mx.eval(flat)
    v = flat[start:].reshape(arrays["v"].shape)
    pool = KVPool(1, 2100, kv_heads=2, head_dim=8, dtype=dtype)
    arguments = [arrays["q"], arrays["k"], v, arrays["positions"]]
    for name in ("auto", "composed"):
        with backend(name):
            assert_correct(case, case.call(v=v))
            pool.append(0, *arguments, pool.slots(arrays["slots"]), rope_base=1e4)
            spare = case.call(v=v, spare_row=0)
    expected = written(mx.zeros_like(pool.arrays(0)[1][:2100]), v, arrays["slots"].tolist())
    np.testing.assert_array_equal(bits(pool.arrays(0)[1])[:2100], expected)
    assert spare[3].shape == expected.shape


@pytest.mark.parametrize("count", [1, 8, 9, 300, 4096])
def test_tokens_are_placed_as_by_plain_operations(count):
    for seed in range(5):
        slots = mx.array(
            np.random.default_rng(seed).integers(-3, 70 + count, count).astype(np.int32)
        )
        for spare in (-1, 64 + count):
            got = launch.launch_place(slots, 64 + count, spare, backend=HERE)
            with backend("composed"):
                assert mx.array_equal(got, place_rows(slots, 64 + count, spare))


@pytest.mark.parametrize("tokens", [1, 3, 70])
@pytest.mark.parametrize("dtype", DTYPES)
def test_item_55_gradients_are_those_of_the_composed_path(dtype, tokens):
    case = Case(tokens, 80, head_dim=16, dtype=dtype)
    arrays = list(case.arrays.values())
    cotangents = [x.astype(mx.float32).astype(dtype) for x in case.call()]
    gradients = []
    for name in ("auto", "composed"):
        with backend(name):
            gradients.append(
                mx.vjp(
                    lambda q, k, v: case.function()(q, k, v, *arrays[3:]), arrays[:3], cotangents
                )[1]
            )
            mx.eval(gradients[-1])
    assert all(close(x, y) for x, y in zip(*gradients, strict=True))


def test_item_54_vmap_is_refused_by_mlx_and_runs_on_plain_operations():
    one, two = Case(seed=1).arrays, Case(seed=2).arrays
    stacked = [mx.stack([one[name], two[name]]) for name in one]
    with backend("auto"), pytest.raises(ValueError, match="CustomKernel"):
        mx.vmap(Case().function())(*stacked)
    with backend("composed"):
        batched = mx.vmap(Case().function())(*stacked)
        single = Case(seed=2).call()
    assert all(same_bits(x[1], y) for x, y in zip(batched, single, strict=True))


def test_item_56_export_and_import(tmp_path):
    arrays = Case(tokens=3).arrays
    arguments = [arrays[name] for name in ("q", "k", "positions")]

    def call(q, k, positions):
        return rotate(q, k, k, positions, rope_base=1e4, angle="exact")[:2]

    file = str(tmp_path / "rotation.mlxfn")
    mx.export_function(file, call, *arguments)
    back = mx.import_function(file)(*arguments)
    assert all(same_bits(x, y) for x, y in zip(back, call(*arguments), strict=True))


def test_item_61_a_hundred_runs_give_the_same_bits():
    arrays = Case(tokens=300, pool=400, qo_heads=8, kv_heads=2, head_dim=64).arrays
    arguments = [arrays[name] for name in ("q", "k", "positions")]
    first = [bits(x) for x in run(*arguments, 1e4)]
    for _ in range(100):
        again = run(*arguments, 1e4)
        assert all(np.array_equal(bits(x), y) for x, y in zip(again, first, strict=True))


@pytest.mark.parametrize("dtype", DTYPES)
def test_both_backends_of_the_whole_call(dtype):
    case = Case(tokens=70, pool=80, qo_heads=8, kv_heads=2, head_dim=64, dtype=dtype)
    assert_correct(case)
    with backend("composed"):
        assert_correct(case)


@pytest.mark.parametrize("tokens", [1, 3, 70, 1500])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_pool_on_this_device_is_that_of_the_function(dtype, tokens):
    case = Case(tokens, 2000, head_dim=16, dtype=dtype)
    arrays = case.arrays
    pool = KVPool(1, 2000, kv_heads=2, head_dim=16, dtype=dtype)
    arguments = [arrays[name] for name in ("q", "k", "v", "positions")]
    pool.append(0, *arguments, pool.slots(arrays["slots"]), rope_base=1e4)
    empty = [mx.zeros((2000, 2, 16), dtype) for _ in "kv"]
    expected = rope_pool_fused(*arguments, arrays["slots"], *empty, **case.numbers)
    for got, wanted in zip(pool.arrays(0), expected[2:], strict=True):
        assert same_bits(got[:2000], wanted)
