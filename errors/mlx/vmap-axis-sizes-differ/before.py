import mlx.core as mx


def score(example, classes):
    return classes @ example


examples = mx.random.normal((8, 3))
classes = mx.random.normal((5, 3))
scores = mx.vmap(score)(examples, classes)
print(scores.shape)
