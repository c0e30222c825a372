import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float, UInt32
from ropeguard import guard


embedding = nn.Embedding(4, 8)


@guard
def decode(token: UInt32[mx.array, " batch"]) -> Float[mx.array, "batch vocab"]:
    return embedding.as_linear(embedding(token))


prefill = mx.array([[0.1, 2.0, -1.0, 0.4]])
token = mx.argmax(prefill, axis=-1).item()
logits = decode(token)
print(logits.shape)
