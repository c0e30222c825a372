import mlx.core as mx


DIMS = 8


def frequencies(base):
    return base ** (mx.arange(0, DIMS, 2) / DIMS)


keys = mx.random.normal((1, 2, 5, DIMS))
freqs = frequencies(10000.0)
rotated = mx.fast.rope(keys, DIMS, traditional=False, base=None, scale=1.0, offset=3, freqs=freqs)
print(rotated.shape)
