import mlx.core as mx


def at_position(cache, position):
    return cache[..., position, :]


cache = mx.random.normal((2, 3, 5, 8))
first = at_position(cache, 0)
print(first.shape)
