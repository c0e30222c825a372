import mlx.core as mx
import mlx.nn as nn


logits = mx.random.normal((8, 3))
targets = mx.array([0, 0, 0, 1, 0, 2, 0, 1])
class_weights = mx.array([0.2, 0.5, 1.0])

weights = class_weights[targets]
loss = nn.losses.cross_entropy(logits, targets, weights=weights, reduction="sum")
print(loss.shape)
