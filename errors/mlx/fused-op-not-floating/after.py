import mlx.core as mx
import mlx.nn as nn


class Trunk(nn.Module):
    def __init__(self, vocabulary, dims):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dims)

    def __call__(self, tokens, embedded=None):
        x = self.embedding(tokens) if embedded is None else embedded
        return mx.fast.rms_norm(x, None, 1e-5)


hidden = Trunk(vocabulary=20, dims=8)(mx.array([[4, 9, 2]]))
print(hidden.shape)
