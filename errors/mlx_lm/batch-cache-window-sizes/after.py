import mlx.core as mx
from mlx_lm.models.cache import BatchRotatingKVCache, RotatingKVCache


def conversation(tokens: int, window: int) -> RotatingKVCache:
    cache = RotatingKVCache(max_size=window)
    cache.update_and_fetch(mx.ones((1, 2, tokens, 8)), mx.ones((1, 2, tokens, 8)))
    return cache


first = conversation(tokens=12, window=16)
second = conversation(tokens=7, window=16)
batch = BatchRotatingKVCache.merge([first, second])
print(batch.size(), batch.left_padding.tolist())
