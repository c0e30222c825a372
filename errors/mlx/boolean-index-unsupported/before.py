import mlx.core as mx
import mlx.nn as nn


PAD = 0


def loss(logits, targets):
    losses = nn.losses.cross_entropy(logits, targets)
    real = targets != PAD
    return losses[real].mean()


targets = mx.array([[5, 3, 8, PAD], [2, 7, PAD, PAD]])
logits = mx.random.normal((2, 4, 10))
print(loss(logits, targets))
