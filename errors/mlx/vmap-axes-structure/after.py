import mlx.core as mx


def head(weight, features):
    return mx.tanh(features @ weight)


ensemble = mx.vmap(head, in_axes=(0, None))
weights = mx.random.normal((3, 5, 4))
outputs = ensemble(weights, mx.ones((8, 5)))
print(outputs.shape)
