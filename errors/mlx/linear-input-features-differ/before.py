import mlx.core as mx
import mlx.nn as nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, kernel_size=3)
        self.pool = nn.MaxPool2d(2, 2)
        self.head = nn.Linear(4 * 8 * 8, 10)

    def __call__(self, images):
        features = self.pool(nn.relu(self.conv(images)))
        return self.head(features.flatten(1))


model = Digits()
images = mx.random.uniform(shape=(2, 16, 16, 1))
logits = model(images)
print(logits.shape)
