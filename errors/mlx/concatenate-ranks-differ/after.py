import mlx.core as mx
import mlx.nn as nn


class Bigram(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.table = nn.Embedding(vocabulary, vocabulary)

    def __call__(self, tokens):
        return self.table(tokens)


model = Bigram(32)
tokens = mx.array([[3, 1, 4, 1, 5]], dtype=mx.uint32)
logits = model(tokens)
token = mx.argmax(logits[:, -1], axis=-1)
tokens = mx.concatenate([tokens, token[:, None]], axis=1)
print(tokens.shape)
