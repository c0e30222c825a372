"""Prints the error of cosines and sines at far positions, beside that of `mx.fast.rope`."""

import sys
from pathlib import Path

import mlx.core as mx
import numpy as np

from ropeguard.kernels.choosing import current_backend
from ropeguard.kernels.rotation import rotate


sys.path.insert(0, str(Path(__file__).parents[1] / "kernels"))

from rope_oracle import angles


POSITIONS = (1_000, 32_768, 131_072, 1_000_000, 10_000_000, 2**31 - 1)
BASES = (1e4, 5e5, 1e7)
HEAD_DIM = 128


def worst(angle, position):
    """Return the largest error over bases, for the position and the 63 before it."""
    positions = range(position - 63, position + 1)
    half = mx.zeros((64, 1, HEAD_DIM // 2))
    unit = mx.concatenate([half + 1, half], axis=-1)
    errors = []
    for base in BASES:
        given = mx.array(list(positions), dtype=mx.int32)
        turned = np.array(rotate(unit, unit, unit, given, rope_base=base, angle=angle)[0])[:, 0]
        theta = angles(positions, base, HEAD_DIM)
        exact = np.concatenate([np.cos(theta), np.sin(theta)], axis=-1)
        errors.append(np.abs(turned.astype(np.float64) - exact).max())
    return max(errors)


print(f"MLX {mx.__version__}, {mx.default_device()}, backend {current_backend()}")
print(f"{'position':>13}{'exact':>10}{'mx.fast.rope':>14}")
for position in POSITIONS:
    print(f"{position:>13,}{worst('exact', position):>10.1e}{worst('f32', position):>14.1e}")
