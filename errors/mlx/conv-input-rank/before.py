import mlx.core as mx
import mlx.nn as nn


class Encoder(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, channels, kernel_size=3)

    def __call__(self, pixels: mx.array) -> mx.array:
        return nn.relu(self.conv(pixels))


def load_image(size: int) -> mx.array:
    return mx.random.uniform(shape=(size, size, 3))


encoded = Encoder(8)(load_image(32))
print(encoded.shape)
