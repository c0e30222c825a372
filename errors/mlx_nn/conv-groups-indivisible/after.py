import mlx.core as mx
import mlx.nn as nn


class Mixer(nn.Module):
    def __init__(self, channels: int, expansion: int) -> None:
        super().__init__()
        hidden = channels + expansion
        self.depthwise = nn.Conv1d(channels, channels, 4, groups=channels)
        self.out = nn.Linear(channels, hidden)

    def __call__(self, x: mx.array) -> mx.array:
        return self.out(self.depthwise(mx.pad(x, [(0, 0), (3, 0), (0, 0)])))


mixer = Mixer(channels=24, expansion=8)
print(mixer(mx.random.normal((1, 10, 24))).shape)
