import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten


class Classifier(nn.Module):
    def __init__(self, dims: int, classes: int) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dims, dims), nn.GELU())
        self.head = nn.Linear(dims, classes)

    def __call__(self, x: mx.array) -> mx.array:
        return self.head(self.encoder(x))


classifier = Classifier(8, 3)
classifier.encoder.freeze()
print([name for name, _ in tree_flatten(classifier.trainable_parameters())])
