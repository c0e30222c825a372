import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten


class Gain(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self._gain = mx.ones((dims,))
        self.bias = mx.zeros((dims,))

    def __call__(self, x: mx.array) -> mx.array:
        return x * self._gain + self.bias


names = [name for name, _ in tree_flatten(Gain(4).trainable_parameters())]
print("trained and saved:", names)
