import mlx.core as mx
import mlx.nn as nn


def train_loss(model, features, labels):
    logits = model(features)
    loss = nn.losses.cross_entropy(logits, labels, reduction="mean")
    accuracy = (logits.argmax(axis=-1) == labels).mean()
    return {"loss": loss, "accuracy": accuracy}


model = nn.Linear(6, 3)
features, labels = mx.random.normal((5, 6)), mx.array([0, 1, 2, 1, 0])
metrics, gradients = nn.value_and_grad(model, train_loss)(model, features, labels)
print(sorted(gradients))
