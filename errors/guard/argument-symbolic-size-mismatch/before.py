import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


@guard
def rotate(
    x: Float[mx.array, "tokens heads dim"],
    cos: Float[mx.array, "tokens dim//2"],
    sin: Float[mx.array, "tokens dim//2"],
) -> Float[mx.array, "tokens heads dim"]:
    a, b = mx.split(x, 2, axis=-1)
    c, s = cos[:, None], sin[:, None]
    return mx.concatenate([a * c - b * s, a * s + b * c], axis=-1)


queries = mx.random.normal((4, 2, 8))
frequencies = mx.arange(4)[:, None] * 10000.0 ** (-mx.arange(0, 8, 2) / 8)
angles = mx.concatenate([frequencies, frequencies], axis=-1)
rotated = rotate(queries, mx.cos(angles), mx.sin(angles))
print(rotated.shape)
