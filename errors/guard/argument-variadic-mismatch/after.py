import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


value_head = nn.Linear(8, 1)


@guard
def squared_error(
    target: Float[mx.array, "*shape"], predicted: Float[mx.array, "*shape"]
) -> Float[mx.array, ""]:
    return mx.mean((predicted - target) ** 2)


states = mx.random.normal((4, 8))
returns = mx.array([0.5, 1.0, -0.5, 2.0])
loss = squared_error(returns, value_head(states).squeeze(-1))
print(loss.shape)
