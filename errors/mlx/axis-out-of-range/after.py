import mlx.core as mx
import mlx.nn as nn


class SentenceEncoder(nn.Module):
    def __init__(self, vocabulary, dims):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dims)

    def __call__(self, tokens):
        mask = (tokens != 0).astype(mx.float32)
        weights = mask / mask.sum(axis=1, keepdims=True)
        return (self.embed(tokens) * weights[..., None]).sum(axis=1)


encoder = SentenceEncoder(20, 8)
tokens = mx.array([4, 17, 9, 2, 0])
pooled = encoder(tokens[None])
print(pooled.shape)
