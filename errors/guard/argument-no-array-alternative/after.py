import mlx.core as mx
from jaxtyping import Int32
from ropeguard import guard


@guard
def positions(
    tokens: int, offset: Int32[mx.array, ""] | Int32[mx.array, "batch"]
) -> Int32[mx.array, "tokens"] | Int32[mx.array, "batch tokens"]:
    return mx.arange(tokens, dtype=mx.int32) + mx.expand_dims(offset, -1)


columns = mx.array([[7, 2], [9, 5]], mx.int32)
offsets = columns[:, 0]
print(positions(3, offsets).shape)
