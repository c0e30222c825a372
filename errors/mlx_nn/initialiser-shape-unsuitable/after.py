import mlx.core as mx
import mlx.nn as nn


def initialise(parameter: mx.array) -> mx.array:
    init = nn.init.glorot_uniform()
    return init(parameter) if parameter.ndim >= 2 else parameter


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
model.layers[0].bias = mx.zeros((8,))
model.apply(initialise)
print(model(mx.ones((3, 4))).shape)
