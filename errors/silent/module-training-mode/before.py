import mlx.core as mx
import mlx.nn as nn


def load() -> nn.Module:
    return nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 2))


mx.random.seed(0)
classifier = load()
features = mx.ones((1, 8))
first, second = classifier(features), classifier(features)
print("training mode:", classifier.training)
print("the same input gives the same output:", mx.array_equal(first, second).item())
