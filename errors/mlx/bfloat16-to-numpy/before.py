import mlx.core as mx
import mlx.nn as nn
import numpy as np


class Encoder(nn.Module):
    def __init__(self, vocab: int, dims: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dims)
        self.norm = nn.RMSNorm(dims)

    def __call__(self, tokens):
        return self.norm(self.embedding(tokens)).mean(axis=1)


encoder = Encoder(vocab=32, dims=16)
encoder.set_dtype(mx.bfloat16)
vectors = encoder(mx.array([[1, 2, 3], [4, 5, 6]]))
index = np.asarray(vectors)
print(index @ index.T)
