import json

import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


@guard
def sgd(
    weight: Float[mx.array, "*shape"],
    gradient: Float[mx.array, "*shape"],
    rate: float | Float[mx.array, ""],
) -> Float[mx.array, "*shape"]:
    return weight - rate * gradient


config = json.loads('{"learning_rate": "3e-4", "batch_size": 4}')
weight = mx.ones((2, 3))
updated = sgd(weight, mx.ones_like(weight), config["learning_rate"])
print(updated.shape)
