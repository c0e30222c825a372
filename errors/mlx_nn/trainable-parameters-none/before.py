import mlx.core as mx
import mlx.nn as nn


class Tagger(nn.Module):
    def __init__(self, vocabulary: int, dims: int, tags: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dims)
        self.head = nn.Linear(dims, tags)

    def __call__(self, tokens: mx.array) -> mx.array:
        return self.head(self.embed(tokens))


def loss_of(model: nn.Module, tokens: mx.array, tags: mx.array) -> mx.array:
    return nn.losses.cross_entropy(model(tokens), tags, reduction="mean")


tagger = Tagger(32, 8, 3)
tagger.freeze()
step = nn.value_and_grad(tagger, loss_of)
loss, gradients = step(tagger, mx.array([[1, 5, 9]]), mx.array([[0, 2, 1]]))
print(loss.shape, gradients.keys())
