import mlx.core as mx
import mlx.nn as nn


EOS = 2


class Bigram(nn.Module):
    def __init__(self, vocab: int):
        super().__init__()
        self.table = nn.Embedding(vocab, vocab)

    def __call__(self, token):
        return self.table(token)


def generate(model, token, limit=4):
    steps = [token]
    while len(steps) < limit:
        token = mx.argmax(model(token), axis=-1)
        steps.append(token)
        if mx.all(token == EOS):
            break
    return mx.stack(steps, axis=1)


print(generate(Bigram(vocab=8), mx.array([3, 5])).shape)
