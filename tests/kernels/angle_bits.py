"""Cosines and sines whose bits every backend of the kernel has to have."""

import hashlib

import mlx.core as mx
import numpy as np
from rope_oracle import INT_MAX, INT_MIN, MAX_ANGLE_ERROR, angles, bits


SPECIAL = (0, 1, -1, 7, 2**24, 2**24 + 1, 131_072, 10**7, INT_MAX, INT_MIN)
BASES = (1e4, 10000.5, 5e5, 1e7)
HEAD_DIM = 128
DIGEST = "e7e15888a5fc8fb4"


def unit_pairs():
    """Return pairs of 1 and 0, which a rotation turns into cosines and sines."""
    half = mx.zeros((len(SPECIAL), 1, HEAD_DIM // 2))
    return mx.concatenate([half + 1, half], axis=-1)


def assert_angle_bits(rotate):
    """Compare cosines and sines with the exact ones, and their bits with those of all backends."""
    digest = hashlib.sha256()
    unit, positions = unit_pairs(), mx.array(SPECIAL, dtype=mx.int32)
    for base in BASES:
        turned = rotate(unit, unit, positions, base)[0]
        theta = angles(SPECIAL, base, HEAD_DIM)
        exact = np.concatenate([np.cos(theta), np.sin(theta)], axis=-1)
        assert np.abs(np.array(turned)[:, 0] - exact).max() <= MAX_ANGLE_ERROR
        digest.update(bits(turned).tobytes())
    assert digest.hexdigest()[:16] == DIGEST
