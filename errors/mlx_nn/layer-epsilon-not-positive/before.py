import mlx.core as mx
import mlx.nn as nn


def make_norm(dims: int) -> nn.Module:
    return nn.LayerNorm(dims, False)


norm = make_norm(8)
padded = mx.concatenate([mx.random.normal((2, 8)), mx.zeros((1, 8))])
print(norm(padded).shape)
