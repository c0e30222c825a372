import mlx.core as mx
import mlx.nn as nn


class Bigram(nn.Module):
    def __init__(self, vocab, dims):
        super().__init__()
        self.embed = nn.Embedding(vocab, dims)
        self.head = nn.Linear(dims, vocab, bias=False)

    def __call__(self, tokens):
        return self.head(self.embed(tokens))


model = Bigram(vocab=11, dims=8)
tokens = mx.array([[3, 1, 4, 1, 5, 9], [2, 7, 1, 8, 2, 8]])
logits = model(tokens)
losses = mx.fast.cross_entropy(logits, tokens[:, 1:])
print(losses.mean().item() > 0)
