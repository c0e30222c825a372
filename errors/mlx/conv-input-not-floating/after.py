import mlx.core as mx
import mlx.nn as nn


class VisionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 64, kernel_size=2, stride=2)
        self.project = nn.Linear(64, 64)

    def __call__(self, pixels):
        return self.project(self.stem(pixels.astype(self.stem.weight.dtype)))


model = VisionModel()
nn.quantize(model, group_size=64, bits=4)
features = model(mx.random.uniform(shape=(1, 8, 8, 3)))
print(features.shape)
