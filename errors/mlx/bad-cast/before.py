import mlx.core as mx


def sliding_cache(batch, heads, context, dims):
    window = context / 4
    return mx.zeros((batch, heads, window, dims))


cache = sliding_cache(batch=2, heads=4, context=64, dims=8)
print(cache.shape)
