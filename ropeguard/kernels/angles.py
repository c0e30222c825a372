"""Rotation angles that are as accurate at position 2**31 - 1 as at position 1.

A frequency is kept as a 64-bit fraction of a turn per position. Multiplied by a position in
wrapping integers it gives the phase modulo one turn without any rounding of the product, which is
where float32 angles lose their digits.
"""

from array import array
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from functools import cache, lru_cache
from math import pi

import mlx.core as mx


_TURN = 2**64
_RADIANS_PER_PHASE = 2 * pi / 2**32
_DIGITS = 50


@lru_cache(maxsize=256)
def phase_steps(rope_base: float, head_dim: int) -> tuple[int, ...]:
    """Return how far each pair of a head turns per position, in 2**-64 turns, modulo one turn.

    Args:
        rope_base: The base of the rotary frequencies, taken at its exact value.
        head_dim: The size of a head; pair `i` turns by `rope_base ** (-2 * i / head_dim)` radians.
    """
    base = Decimal(rope_base)
    # A base below one has frequencies above one: whole turns that have to be held, then dropped.
    digits = _DIGITS + max(0, -base.adjusted())
    with localcontext(_exact_context(digits)):
        turn_per_radian = _TURN / _two_pi(digits)
        frequencies = (base ** (Decimal(-2 * i) / head_dim) for i in range(head_dim // 2))
        return tuple(
            int((frequency * turn_per_radian).to_integral_value()) % _TURN
            for frequency in frequencies
        )


def phases(positions: mx.array, rope_base: float, head_dim: int) -> mx.array:
    """Return the phase of every position and pair, in signed 2**-32 turns.

    Args:
        positions: int32, of any sign.
        rope_base: The base of the rotary frequencies.
        head_dim: The size of a head.

    Returns:
        int32 of shape `positions.shape + (head_dim // 2,)`, from minus half a turn up to half.
    """
    steps = step_array(rope_base, head_dim)
    turned = positions.astype(mx.int64).astype(mx.uint64)[..., None] * steps
    # The upper half of every word. Not `>>`: `mx.vmap` of it reads past an unbatched operand.
    return turned.view(mx.int32)[..., 1::2]


def cos_sin(phase: mx.array) -> tuple[mx.array, mx.array]:
    """Return the cosine and the sine of phases in float32, each at most 5e-7 off."""
    angle = phase.astype(mx.float32) * _RADIANS_PER_PHASE
    return mx.cos(angle), mx.sin(angle)


@lru_cache(maxsize=256)
def step_array(rope_base: float, head_dim: int) -> mx.array:
    """Return `phase_steps` as a uint64 array.

    Args:
        rope_base: The base of the rotary frequencies.
        head_dim: The size of a head.
    """
    # From a buffer, which MLX's stub leaves out: a list of integers above 2**63 is not converted.
    # The result holds its data, so that threads and transformations may share it.
    return mx.array(array("Q", phase_steps(rope_base, head_dim)))  # type: ignore[arg-type]


def _exact_context(digits: int) -> Context:
    return Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999, traps=[])


@cache
def _two_pi(digits: int) -> Decimal:
    """Return 2 pi to `digits` digits, by Machin's formula in integers."""
    unit = 10 ** (digits + 10)
    eighth = 4 * _arctan_of_inverse(5, unit) - _arctan_of_inverse(239, unit)
    with localcontext(_exact_context(digits)):
        return Decimal(8 * eighth) / Decimal(unit)


def _arctan_of_inverse(x: int, unit: int) -> int:
    power = total = unit // x
    divisor = 1
    while power:
        power //= -x * x
        divisor += 2
        total += power // divisor
    return total
