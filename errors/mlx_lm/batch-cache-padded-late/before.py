import mlx.core as mx
from mlx_lm.models.cache import BatchKVCache


def forward(cache: BatchKVCache, tokens: int) -> tuple:
    keys = mx.ones((2, 2, tokens, 8))
    return cache.update_and_fetch(keys, keys)


cache = BatchKVCache([0, 0])
forward(cache, tokens=4)

lengths = [4, 2]
padding = [max(lengths) - length for length in lengths]
cache.prepare(left_padding=padding)
forward(cache, tokens=max(lengths))
print(cache.offset.tolist(), cache.left_padding.tolist())
