import mlx.core as mx
import mlx.nn as nn


class Stem(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pool = nn.AvgPool2d(kernel_size=2)
        self.project = nn.Linear(1, 8)

    def __call__(self, images: mx.array) -> mx.array:
        return self.project(self.pool(images))


digits = mx.random.uniform(shape=(4, 28, 28))
stem = Stem()
features = stem(digits[..., None])
print(features.shape)
