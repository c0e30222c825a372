import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim


SETTINGS = {"learning_rate": 0.1, "nesterov": True}

model = nn.Linear(4, 1)
optimizer = optim.SGD(**SETTINGS)
optimizer.update(model, {"weight": mx.ones((1, 4)), "bias": mx.ones((1,))})
print(model.bias.shape)
