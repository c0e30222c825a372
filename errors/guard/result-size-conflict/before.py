import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


class ShortConv(nn.Module):
    def __init__(self, channels: int, kernel: int):
        super().__init__()
        self.past = kernel - 1
        self.conv = nn.Conv1d(channels, channels, kernel, groups=channels)

    @guard
    def __call__(
        self, x: Float[mx.array, "batch tokens channels"]
    ) -> Float[mx.array, "batch tokens channels"]:
        return nn.silu(self.conv(x))


mixer = ShortConv(channels=8, kernel=4)
x = mx.random.normal((2, 6, 8))
y = x + mixer(x)
