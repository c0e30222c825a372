import mlx.core as mx
from jaxtyping import BFloat16, Float, Float32
from ropeguard import guard


@guard
def add_bias(
    logits: BFloat16[mx.array, "batch vocab"], bias: Float32[mx.array, " vocab"]
) -> Float[mx.array, "batch vocab"]:
    logits = logits + bias
    return logits


logits = mx.zeros((2, 6), dtype=mx.bfloat16)
scores = add_bias(logits, mx.array([0.0, -1.0, 0.0, 0.0, 2.0, 0.0]))
print(scores.shape, logits.dtype)
