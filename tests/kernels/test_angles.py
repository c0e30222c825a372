"""Cosines and sines at every position (conformance items 1 to 4 and 13 to 15)."""

import threading
from decimal import Context, localcontext
from fractions import Fraction
from itertools import pairwise

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rope_oracle import _SCALE, INT_MAX, INT_MIN, MAX_ANGLE_ERROR, Case, angles, same_bits, turns

from ropeguard.kernels.angles import cos_sin, phase_steps, phases


BASES = (1e4, 5e5, 1e6, 1e7, 8e6, 10000.5)
HEAD_DIMS = (32, 64, 80, 96, 112, 128, 160, 192, 256, 512)


def max_error(positions, rope_base, head_dim):
    exact = angles(positions, rope_base, head_dim)
    cos, sin = cos_sin(phases(mx.array(positions, dtype=mx.int32), rope_base, head_dim))
    return max(
        np.abs(np.array(cos) - np.cos(exact)).max(), np.abs(np.array(sin) - np.sin(exact)).max()
    )


def powers_of_two():
    near = {2**k + step for k in range(32) for step in (-1, 0, 1)}
    return sorted(p for p in near | {INT_MAX} if 0 <= p <= INT_MAX)


def decades(count, seed):
    random = np.random.default_rng(seed)
    ends = [10**k for k in range(10)] + [INT_MAX]
    drawn = (random.integers(a, b, count) for a, b in pairwise(ends))
    return np.concatenate(list(drawn)).tolist()


@pytest.mark.parametrize("rope_base", BASES)
def test_item_1_positions_next_to_powers_of_two(rope_base):
    assert max_error(powers_of_two(), rope_base, 128) <= MAX_ANGLE_ERROR


@pytest.mark.parametrize("rope_base", BASES)
def test_item_2_random_positions_of_every_decade(rope_base):
    assert max_error(decades(20, seed=int(rope_base)), rope_base, 128) <= MAX_ANGLE_ERROR


@pytest.mark.parametrize("head_dim", [2, 4, 6, *HEAD_DIMS])
def test_item_4_every_head_dim(head_dim):
    assert max_error(decades(3, seed=head_dim), 1e4, head_dim) <= MAX_ANGLE_ERROR


@pytest.mark.parametrize("order", [(10000.0, 10000.5), (10000.5, 10000.0)])
def test_item_3_bases_with_one_integer_part_do_not_share_angles(order):
    for rope_base in order:
        assert max_error([1, 4096, 10**6], rope_base, 64) <= MAX_ANGLE_ERROR
    assert turns(10000.0, 64) != turns(10000.5, 64)


@pytest.mark.parametrize("order", [(10000.0, 10000.5), (10000.5, 10000.0)])
def test_item_3_bases_with_one_integer_part_rotate_differently(order):
    first, second = (Case(positions=(99_999,), rope_base=base).call()[0] for base in order)
    assert not same_bits(first, second)


def test_items_14_and_15_negative_positions_turn_back():
    positions = [-1, -2, -4097, -(2**24) - 1, -INT_MAX, INT_MIN]
    assert max_error(positions, 1e4, 128) <= MAX_ANGLE_ERROR


def test_item_14_opposite_positions_have_opposite_phases():
    positions = mx.array([1, 77, 2**24 + 1, INT_MAX])
    forth, back = phases(positions, 1e4, 64), phases(-positions, 1e4, 64)
    assert mx.max(mx.abs(forth + back)).item() <= 1


def test_item_15_neighbours_above_2_to_24_differ():
    positions = mx.array([2**24, 2**24 + 1, 2**30, 2**30 + 1, INT_MAX - 1, INT_MAX])
    quick = np.array(phases(positions, 1e4, 64))[:, 0].tolist()
    assert len(set(quick)) == len(quick)


@given(st.integers(INT_MIN, INT_MAX), st.floats(1e-3, 1e12), st.integers(1, 24))
@settings(max_examples=200, deadline=None)
def test_item_2_any_position_base_and_head_dim(position, rope_base, pairs):
    assert max_error([position], rope_base, 2 * pairs) <= MAX_ANGLE_ERROR


@pytest.mark.parametrize("rope_base", [*BASES, 10_000, 0.25, 1e-3, 1.0, 1e300])
@pytest.mark.parametrize("head_dim", [2, 64, 80])
def test_steps_are_the_nearest_64_bit_fractions_of_a_turn(rope_base, head_dim):
    for step, turn in zip(
        phase_steps(rope_base, head_dim), turns(rope_base, head_dim), strict=True
    ):
        off = Fraction(turn, 2**_SCALE) - Fraction(step, 2**64)
        assert abs(off - round(off)) <= Fraction(1, 2**65) + Fraction(1, 2**100)


@pytest.mark.parametrize("rope_base", [5e-324, 1e-300])
def test_a_base_far_below_one_keeps_all_its_digits(rope_base):
    assert max_error([1, 2], rope_base, 4) <= MAX_ANGLE_ERROR


def test_equal_bases_of_different_types_have_equal_steps():
    assert phase_steps(10_000, 64) == phase_steps(10_000.0, 64)


def test_steps_do_not_depend_on_the_callers_decimal_context():
    expected = phase_steps(12_345.0, 16)
    phase_steps.cache_clear()
    with localcontext(Context(prec=3)):
        assert phase_steps(12_345.0, 16) == expected


def test_item_13_angles_under_vmap_have_the_same_bits():
    positions = mx.array([[0, 5, INT_MAX], [-7, 2**24 + 1, 9]])
    batched = mx.vmap(lambda p: cos_sin(phases(p, 1e4, 16))[0])(positions)
    rows = mx.stack([cos_sin(phases(p, 1e4, 16))[0] for p in positions])
    assert same_bits(batched, rows)


def test_item_57_threads_share_one_table():
    expected = cos_sin(phases(mx.array([3, INT_MAX]), 31_337.0, 16))[0]
    phase_steps.cache_clear()
    results = []

    def work():
        cos, _ = cos_sin(phases(mx.array([3, INT_MAX]), 31_337.0, 16))
        mx.eval(cos)
        results.append(cos.tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected.tolist()] * 4
