import mlx.core as mx
import mlx.nn as nn


class Tagger(nn.Module):
    def __init__(self, dim: int, tags: int) -> None:
        super().__init__()
        self.body = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, tags)

    def __call__(self, x: mx.array) -> mx.array:
        return self.head(nn.relu(self.body(x)))


def loss_of(model: nn.Module, x: mx.array, tags: mx.array) -> mx.array:
    return nn.losses.cross_entropy(model(x), tags, reduction="mean")


tagger = Tagger(dim=64, tags=4)
nn.quantize(tagger, class_predicate=lambda path, _: path == "body")
tagger.freeze()
tagger.head.unfreeze()
x, tags = mx.random.normal((8, 64)), mx.random.randint(0, 4, (8,))
loss, gradients = nn.value_and_grad(tagger, loss_of)(tagger, x, tags)
print(loss.item())
