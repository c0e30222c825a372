import mlx.core as mx
import mlx.nn as nn


SCALE = (2, 2)


class Decoder(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.upsample = nn.Upsample(SCALE, mode="linear")
        self.conv = nn.Conv1d(channels, channels, kernel_size=3, padding=1)

    def __call__(self, frames: mx.array) -> mx.array:
        return self.conv(self.upsample(frames))


decoded = Decoder(4)(mx.random.normal((2, 10, 4)))
print(decoded.shape)
