import os

import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


@guard
def split_heads(
    x: Float[mx.array, "batch tokens width"], heads
) -> Float[mx.array, "batch {heads} tokens width//{heads}"]:
    batch, tokens, _ = x.shape
    return x.reshape(batch, tokens, int(heads), -1).swapaxes(1, 2)


heads = int(os.environ.get("MODEL_HEADS", "4"))
q = split_heads(mx.random.normal((2, 5, 32)), heads)
