import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float, Int
from ropeguard import guard


embedding = nn.Embedding(100, 8)


@guard
def embed(tokens: Int[mx.array, "batch tokens"]) -> Float[mx.array, "batch dim"]:
    return embedding(tokens).mean(axis=1)


prompt = mx.array([1, 5, 9, 2])
vector = embed(prompt)
print(vector.shape)
