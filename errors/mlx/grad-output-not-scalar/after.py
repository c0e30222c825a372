import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim


def loss(model, images, labels):
    return nn.losses.cross_entropy(model(images), labels, reduction="mean")


model = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = optim.SGD(learning_rate=0.1)
step = nn.value_and_grad(model, loss)
images, labels = mx.random.normal((4, 16)), mx.array([0, 2, 1, 2])
value, gradients = step(model, images, labels)
optimizer.update(model, gradients)
print(value.shape)
