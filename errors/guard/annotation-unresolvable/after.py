from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class RMSNorm(nn.Module):
    def __init__(self, dims: int):
        super().__init__()
        self.weight = mx.ones((dims,))

    @guard
    def __call__(self, x: Float[mx.array, "*batch dims"]) -> Float[mx.array, "*batch dims"]:
        return mx.fast.rms_norm(x, self.weight, 1e-5)


def batch_of(rows: ArrayLike) -> mx.array:
    return mx.array(rows, dtype=mx.float32)


print(RMSNorm(4)(batch_of([[1, 2, 3, 4]])).shape)
