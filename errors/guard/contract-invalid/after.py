import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float, Int
from ropeguard import guard


@guard
def next_token_loss(
    logits: Float[mx.array, "batch length vocab"],
    targets: Int[mx.array, "batch length-1"],
) -> Float[mx.array, ""]:
    return nn.losses.cross_entropy(logits[:, :-1], targets, reduction="mean")


tokens = mx.array([[1, 4, 2, 0], [3, 3, 1, 2]])
logits = mx.random.normal((2, 4, 5))
loss = next_token_loss(logits=logits, targets=tokens[:, 1:])
print(loss.shape)
