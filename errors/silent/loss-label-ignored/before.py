import mlx.core as mx
import mlx.nn as nn


IGNORE = -100
mx.set_default_device(mx.cpu)
mx.random.seed(0)
logits = mx.random.normal((1, 5, 128))
labels = mx.array([[17, 5, IGNORE, IGNORE, IGNORE]])

losses = nn.losses.cross_entropy(logits, labels)
loss = losses.mean()
alike = nn.losses.cross_entropy(logits, mx.array([[17, 5, 28, 28, 28]]))
print("positions with a loss:", (losses > 0).sum().item(), "of", labels.size)
print("the same as for class 28:", mx.array_equal(losses, alike).item())
