import mlx.core as mx
import mlx.nn as nn


mx.random.seed(0)
features = mx.random.normal((8, 6))
targets = features @ mx.array([1.0, -2.0, 0.5, 0.0, 3.0, 1.5])
head = nn.Linear(6, 1)


def loss_of(model: nn.Module, x: mx.array, y: mx.array) -> mx.array:
    return nn.losses.mse_loss(model(x), y)


loss, gradients = nn.value_and_grad(head, loss_of)(head, features, targets)
print(loss.item())
