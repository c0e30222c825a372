"""The kernel's Metal source: types by clang, memory and results on the CPU."""

import re
import tempfile
from pathlib import Path

import metal_cpu
import mlx.core as mx
import numpy as np
import pytest
from angle_bits import BASES, SPECIAL, assert_angle_bits, unit_pairs
from clang import cindex
from rope_oracle import (
    DTYPES,
    INT_MAX,
    INT_MIN,
    Case,
    assert_rotated,
    from_bits,
    same_bits,
)

from ropeguard.kernels import composed
from ropeguard.kernels.angles import phases, step_array
from ropeguard.kernels.pool import place_rows
from ropeguard.kernels.rotation import passing, rotation


# heads of queries and of keys, head_dim
SHAPES = ((4, 2, 8), (1, 1, 2), (3, 1, 6), (8, 2, 64), (5, 5, 80), (9, 3, 128))
TOKENS = (1, 3, 9, 70)
PLACED = (1, 7, 8, 90)
PHASES = {"kernel": "phases", "tokens": len(SPECIAL), "head_dim": 64}


def case_of(shape, tokens, dtype, **more):
    qo_heads, kv_heads, head_dim = shape
    return Case(tokens, 8, qo_heads, kv_heads, head_dim, dtype, **more)


def calls():
    yield PHASES
    for dtype in DTYPES:
        for shape in SHAPES:
            for tokens in TOKENS:
                arrays = case_of(shape, tokens, dtype).arrays
                yield metal_cpu.call_of(arrays["q"], arrays["k"])
                yield metal_cpu.call_of(arrays["q"], arrays["k"], inverse=True)
                yield metal_cpu.passing_of(arrays["q"], arrays["k"])
    unit = unit_pairs()
    yield metal_cpu.call_of(unit, unit)
    yield from map(metal_cpu.placing_of, PLACED)


@pytest.fixture(scope="module")
def shim():
    with tempfile.TemporaryDirectory() as folder:
        shim = metal_cpu.Shim(Path(folder), list(calls()))
        yield shim
        shim.close()


def errors_of(text, file, *flags):
    """Return what clang has against a text behind the shim, which has real address spaces."""
    # clang places these two elsewhere than Metal's own front end.
    text = re.sub(r"^template \[\[host_name.*?\]\] \[\[kernel\]\]", "template", text, flags=re.M)
    shim = metal_cpu.HERE / "metal_shim.h"
    file.write_text(f'#include "{shim}"\n{text}\n', encoding="utf-8")
    # The wheel of libclang brings the library without the compiler's own headers.
    headers = sorted(Path("/usr/lib/gcc").glob("*/*/include"))[-1:]
    flags = ["-std=c++14", "-DTYPES_ONLY", "-ferror-limit=0", *flags]
    flags += [f"-isystem{folder}" for folder in headers]
    unit = cindex.Index.create().parse(str(file), args=flags)
    return [str(it) for it in unit.diagnostics if it.severity >= cindex.Diagnostic.Error]


def test_every_source_is_well_typed_with_real_address_spaces(shim, tmp_path):
    text = "\n".join(shim.texts.values())
    assert "const constant float* q [[" in text
    assert "const device float* q [[" in text
    assert errors_of(text, tmp_path / "kernels.cpp") == []


def test_a_source_that_mixes_address_spaces_is_refused(shim, tmp_path):
    text = "\n".join(shim.texts.values())
    told = errors_of(text, tmp_path / "kernels.cpp", "-DROPEGUARD_ONE_ADDRESS_SPACE")
    assert any("no matching function for call to 'load'" in it for it in told)


@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_are_those_of_the_oracle(shim, dtype, shape, tokens):
    case = case_of(shape, tokens, dtype, seed=tokens)
    arrays = case.arrays
    q, k, positions = arrays["q"], arrays["k"], arrays["positions"]
    first = shim.rotate(q, k, positions, poison=0xA5)
    again = shim.rotate(q, k, positions, poison=0x5A)
    assert_rotated(first[0], q, positions.tolist(), 1e4)
    assert_rotated(first[1], k, positions.tolist(), 1e4)
    assert all(same_bits(x, y) for x, y in zip(first, again, strict=True))


@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_are_passed_on_beside_the_same_rotation(shim, dtype, shape, tokens):
    arrays = case_of(shape, tokens, dtype, seed=tokens).arrays
    q, k, v, positions = (arrays[name] for name in ("q", "k", "v", "positions"))
    for skew in (0, 1, 3):
        passed = shim.rotate_and_pass(q, k, v, positions, skew=skew)
        expected = (*shim.rotate(q, k, positions), v)
        assert all(same_bits(x, y) for x, y in zip(passed, expected, strict=True))


@pytest.mark.parametrize("count", PLACED)
def test_tokens_are_placed_as_by_plain_operations(shim, count):
    outside = [INT_MIN, -1, 8, 9, INT_MAX]
    for seed in range(20):
        slots = np.random.default_rng(seed).choice([*range(8), *outside], count).tolist()
        for spare in (-1, 7, 8):
            expected = place_rows(mx.array(slots, dtype=mx.int32), 8, spare)
            assert shim.place(slots, 8, spare, poison=seed).tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_items_13_and_41_a_view_at_any_element_has_the_same_result(shim, dtype):
    arrays = case_of(SHAPES[3], 9, dtype).arrays
    arguments = arrays["q"], arrays["k"], arrays["positions"]
    expected = shim.rotate(*arguments)
    for skew in (1, 2, 3):
        moved = shim.rotate(*arguments, skew=skew)
        assert all(same_bits(x, y) for x, y in zip(moved, expected, strict=True))


def test_item_13_phases_are_those_of_the_composed_path(shim):
    positions = mx.array(SPECIAL, dtype=mx.int32)
    for base in BASES:
        steps = np.array(step_array(base, 64))
        buffers = [np.array(positions).tobytes(), steps.tobytes(), 4 * 32 * len(SPECIAL)]
        (out,) = shim.run(PHASES, buffers, 32 * len(SPECIAL))
        expected = np.array(phases(positions, base, 64))
        np.testing.assert_array_equal(np.frombuffer(out, np.int32).reshape(-1, 32), expected)


def test_items_1_and_13_cosines_and_sines_are_exact_and_have_the_bits_of_every_backend(shim):
    assert_angle_bits(shim.rotate)


@pytest.mark.parametrize("dtype", DTYPES)
def test_items_5_and_10_position_0_keeps_every_bit(shim, dtype):
    kind = np.dtype("I" if dtype == mx.float32 else "H")
    words = np.frombuffer(np.random.default_rng(2).bytes(9 * 512 * kind.itemsize), kind)
    q = from_bits(words.reshape(9, 8, 64), dtype)
    out, _ = shim.rotate(q, q[:, :2], mx.zeros((9,), mx.int32))
    assert same_bits(out, q)


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_10_infinities_stay_in_their_pair(shim, dtype):
    q = np.ones((9, 8, 64), np.float32)
    q[0, 0, 3], q[2, 1, 35], q[4, 7, 63] = np.inf, -np.inf, np.nan
    q = mx.array(q).astype(dtype)
    out, _ = shim.rotate(q, q[:, :2], mx.arange(1, 10, dtype=mx.int32))
    strange = ~np.isfinite(np.array(out.astype(mx.float32)))
    expected = np.zeros_like(strange)
    for at in ((0, 0), (2, 1), (4, 7)):
        expected[(*at, [{(0, 0): 3, (2, 1): 3, (4, 7): 31}[at] + i for i in (0, 32)])] = True
    np.testing.assert_array_equal(strange, expected)


@pytest.fixture
def turn(shim):
    """The differentiable kernel with the shim in place of the launch."""

    def run(q, k, positions, *, rope_base, backend, inverse):
        q, k = mx.array(q), mx.array(k)
        return tuple(shim.rotate(q, k, positions, rope_base, inverse=inverse))

    return rotation("metal", 1e4, inverse=False, run=run)


def test_item_55_the_gradient_of_values_that_are_passed_on_is_their_own(shim):
    arrays = case_of(SHAPES[0], 3, mx.float32).arrays
    q, k, v, positions = (arrays[name] for name in ("q", "k", "v", "positions"))

    def run(q, k, v, positions, *, rope_base, backend):
        return tuple(shim.rotate_and_pass(mx.array(q), mx.array(k), mx.array(v), positions))

    def run_back(q, k, positions, *, rope_base, backend, inverse):
        return tuple(shim.rotate(mx.array(q), mx.array(k), positions, inverse=inverse))

    turn = passing("metal", 1e4, run=run, run_back=run_back)
    _, (gradient,) = mx.vjp(lambda v: turn(q, k, v, positions)[2], [v], [v * 2])
    assert same_bits(gradient, v * 2)
    _, (gradient,) = mx.vjp(lambda q: turn(q, k, v, positions)[0], [q], [q * 2])
    assert same_bits(
        gradient, run_back(q * 2, k, positions, rope_base=0, backend="", inverse=True)[0]
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_55_the_gradient_is_that_of_the_composed_path(turn, dtype):
    arrays = case_of(SHAPES[3], 9, dtype).arrays
    primals = [arrays[name] for name in ("q", "k")]
    positions = arrays["positions"]
    cotangents = [arrays["q"] * 2, arrays["k"] + 1]
    mx.eval(primals, positions, cotangents)
    _, ours = mx.vjp(lambda q, k: turn(q, k, positions), primals, cotangents)
    _, theirs = mx.vjp(
        lambda q, k: composed.rotate_exactly(q, k, positions, 1e4), primals, cotangents
    )
    for x, y in zip(ours, theirs, strict=True):
        scale = {mx.float32: 1e-6, mx.float16: 2e-3, mx.bfloat16: 2e-2}[dtype]
        assert mx.allclose(x.astype(mx.float32), y.astype(mx.float32), rtol=scale, atol=scale)
