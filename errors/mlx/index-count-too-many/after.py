import mlx.core as mx
import mlx.nn as nn


class TinyModel(nn.Module):
    def __init__(self, vocabulary, dims):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dims)

    def __call__(self, tokens):
        return self.embed.as_linear(self.embed(tokens))


model = TinyModel(20, 8)
prompt = mx.array([4, 17, 9])
logits = model(prompt[None])[:, -1, :]
print(mx.argmax(logits, axis=-1).shape)
