import mlx.core as mx
import mlx.nn as nn


class Decoder(nn.Module):
    def __init__(self, vocab: int, dims: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dims)
        self.out = nn.Linear(dims, vocab)

    def __call__(self, tokens):
        start = mx.zeros((tokens.shape[0], 1))
        shifted = mx.concatenate([start, tokens[:, :-1]], axis=1)
        return self.out(self.embedding(shifted))


model = Decoder(vocab=12, dims=8)
tokens = mx.array([[4, 7, 1], [9, 2, 3]])
print(model(tokens).shape)
