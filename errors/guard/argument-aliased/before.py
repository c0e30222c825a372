from typing import Annotated

import mlx.core as mx
from jaxtyping import Float
from ropeguard import Distinct, guard


@guard
def adam_step(
    gradient: Float[mx.array, "*shape"],
    first: Float[mx.array, "*shape"],
    second: Annotated[Float[mx.array, "*shape"], Distinct("first")],
) -> Float[mx.array, "*shape"]:
    first += 0.1 * (gradient - first)
    second += 0.001 * (gradient * gradient - second)
    return first / (mx.sqrt(second) + 1e-8)


weight = mx.ones((2, 3))
first = second = mx.zeros_like(weight)
step = adam_step(mx.full((2, 3), 0.5), first, second)
print(step.shape)
