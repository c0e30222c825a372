import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


class RewardModel(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        self.norm = nn.RMSNorm(hidden)
        self.score = nn.Linear(hidden, 1)

    @guard
    def __call__(self, states: Float[mx.array, "batch tokens hidden"]) -> Float[mx.array, " batch"]:
        last = self.norm(states)[:, -1]
        return self.score(last).squeeze(-1)


model = RewardModel(16)
rewards = model(mx.random.normal((4, 6, 16)))
targets = mx.array([0.0, 1.0, 1.0, 0.0])
loss = ((rewards - targets) ** 2).mean()
