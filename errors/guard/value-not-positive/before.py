import json
from typing import Annotated

import mlx.core as mx
from jaxtyping import Float, Integer
from ropeguard import Positive, guard


@guard
def sample(
    logits: Float[mx.array, "batch vocab"],
    temperature: Annotated[float | int, Positive()],
) -> Integer[mx.array, " batch"]:
    return mx.random.categorical(logits / temperature)


request = json.loads('{"prompt": "The cat", "temperature": 0}')
temperature = request["temperature"]
logits = mx.array([[0.5, 2.0, -1.0]])
token = sample(logits, temperature)
print(token.tolist())
