import mlx.core as mx
import mlx.nn as nn


class Summary(nn.Module):
    def __init__(self, length: int, frames: int) -> None:
        super().__init__()
        window = length // frames
        self.pool = nn.AvgPool1d(window)

    def __call__(self, x: mx.array) -> mx.array:
        return self.pool(x)


model = Summary(length=12, frames=4)
print(model(mx.random.normal((1, 12, 3))).shape)
