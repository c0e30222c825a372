import mlx.core as mx
import mlx.nn as nn


def log_probabilities(logits, labels):
    log_probs = nn.log_softmax(logits, axis=-1)
    return mx.stack([log_probs[row, label] for row, label in enumerate(labels)])


def read_labels(lines):
    return [int(line.split(",")[1]) for line in lines]


classify = nn.Linear(8, 5)
lines = ["cat.png,2", "owl.png,5"]
features = mx.random.normal((2, 8))
scores = log_probabilities(classify(features), read_labels(lines))
print(scores.shape)
