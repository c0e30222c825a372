import mlx.core as mx
import mlx.nn as nn


embedding = nn.Embedding(6, 8)


def next_token_logits(tokens):
    logits = embedding.as_linear(embedding(tokens))
    return logits[0, -1]


probabilities = mx.softmax(next_token_logits(mx.array([[2, 5, 1]])), axis=-1)
print(probabilities.shape)
