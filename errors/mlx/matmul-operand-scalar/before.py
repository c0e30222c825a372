import mlx.core as mx
import mlx.nn as nn


head = nn.Linear(8, 3)


def classify(hidden):
    pooled = hidden.mean()
    return mx.softmax(head(pooled), axis=-1)


print(classify(mx.zeros((2, 5, 8))).shape)
