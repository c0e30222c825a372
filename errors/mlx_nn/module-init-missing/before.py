import mlx.core as mx
import mlx.nn as nn


class Probe(nn.Module):
    def __init__(self, dims: int, classes: int) -> None:
        self.project = nn.Linear(dims, classes)

    def __call__(self, x: mx.array) -> mx.array:
        return self.project(x)


model = Probe(8, 2)
print(model(mx.ones((1, 8))).shape)
model.freeze()
model.eval()
print(model.trainable_parameters())
