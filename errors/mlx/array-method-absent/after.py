import mlx.core as mx


def pool(tokens: mx.array, mask: mx.array) -> mx.array:
    weights = mx.expand_dims(mask.astype(tokens.dtype), -1)
    return (tokens * weights).sum(axis=1) / weights.sum(axis=1)


tokens = mx.random.normal((2, 5, 8))
mask = mx.array([[True] * 5, [True] * 3 + [False] * 2])
print(pool(tokens, mask).shape)
