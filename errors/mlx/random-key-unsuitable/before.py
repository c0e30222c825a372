import mlx.core as mx


def initialise(shapes, seed):
    keys = mx.random.split(mx.random.key(seed), len(shapes))
    return [mx.random.normal(shape, key=keys) for at, shape in enumerate(shapes)]


layers = initialise([(4, 2), (4, 2)], seed=7)
print([layer.shape for layer in layers])
