import mlx.core as mx
import mlx.nn as nn


SPECIAL = 256
EOS = SPECIAL + 1


def encode(text):
    data = mx.array(list(text.encode()), dtype=mx.int32)
    return mx.concatenate([data, mx.full((1,), EOS, dtype=data.dtype)])


embedding = nn.Embedding(SPECIAL + 2, 8)
tokens = encode("mlx")
print(tokens.tolist(), embedding(tokens).shape)
