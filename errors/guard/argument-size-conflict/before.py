import mlx.core as mx
from jaxtyping import Bool, Float
from ropeguard import guard


@guard
def attend(
    queries: Float[mx.array, "heads new dim"],
    keys: Float[mx.array, "heads seen dim"],
    values: Float[mx.array, "heads seen dim"],
    mask: Bool[mx.array, "new seen"],
) -> Float[mx.array, "heads new dim"]:
    scores = mx.where(mask, queries @ keys.swapaxes(1, 2), -mx.inf)
    return mx.softmax(scores, axis=-1) @ values


cached = mx.random.normal((2, 3, 8))
new = mx.random.normal((2, 2, 8))
keys = mx.concatenate([cached, new], axis=1)
mask = mx.tril(mx.ones((2, 2), dtype=mx.bool_))
output = attend(new, keys, keys, mask)
print(output.shape)
