import mlx.core as mx
import mlx.nn as nn


up, down = nn.Linear(4, 8), nn.Linear(8, 1)
activations = {}


def score(x):
    hidden = nn.relu(up(x))
    activations["hidden"] = hidden
    return down(hidden)


scores = mx.vmap(score)(mx.ones((5, 4)))
print(scores.shape)
print("share of active units", (activations["hidden"] > 0).mean().item())
