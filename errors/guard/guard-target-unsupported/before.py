import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


class Classifier(nn.Module):
    def __init__(self, dims: int, classes: int):
        super().__init__()
        self.hidden = nn.Linear(dims, dims)
        self.out = nn.Linear(dims, classes)

    def __call__(self, x: Float[mx.array, "batch dims"]) -> Float[mx.array, "batch classes"]:
        return self.out(nn.relu(self.hidden(x)))


model = guard(Classifier(16, 3))
print(model(mx.ones((4, 16))).shape)
