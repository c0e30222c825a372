import mlx.core as mx
import mlx.nn as nn


model = nn.Linear(3, 1)
batch, targets = mx.ones((4, 3)), mx.full((4, 1), 5.0)
forward = mx.compile(lambda x: model(x))


def loss(parameters):
    model.update(parameters)
    return mx.mean(mx.square(forward(batch) - targets))


parameters = model.trainable_parameters()
value, gradients = mx.value_and_grad(loss)(parameters)
print("loss above 1:", value.item() > 1)
print("gradient is zero:", mx.all(gradients["weight"] == 0).item())
