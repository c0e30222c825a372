import mlx.core as mx
import mlx.nn as nn


def make_classifier(features: int, hidden: int, classes: int) -> nn.Module:
    layers = [nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, classes)]
    return nn.Sequential(*layers)


model = make_classifier(features=4, hidden=8, classes=3)
scores = model(mx.ones((2, 4)))
print(scores.shape)
