import mlx.core as mx
import mlx.nn as nn


GROUPS = 16


class ResidualBlock(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(GROUPS, channels, pytorch_compatible=True)
        self.conv = nn.Conv2d(channels, channels, kernel_size=3, padding=1)

    def __call__(self, image: mx.array) -> mx.array:
        return image + self.conv(nn.silu(self.norm(image)))


block = ResidualBlock(channels=48)
print(block(mx.random.normal((1, 8, 8, 48))).shape)
