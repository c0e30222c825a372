import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


@guard
def entropy(logits: Float[mx.array, "*batch vocab"]) -> Float[mx.array, "*batch"]:
    log_p = nn.log_softmax(logits, axis=-1)
    return -(mx.exp(log_p) * log_p).sum(axis=1)


next_token = entropy(mx.random.normal((2, 8)))
whole_prompt = entropy(mx.random.normal((2, 5, 8)))
