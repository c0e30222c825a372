import mlx.core as mx
from mlx_lm.models.cache import KVCache, RotatingKVCache


def make_cache(window_layers: int, full_layers: int) -> list:
    windows = [RotatingKVCache(max_size=16) for _ in range(window_layers)]
    return windows + [KVCache() for _ in range(full_layers)]


def compress(layer, bits: int):
    quantizable = isinstance(layer, KVCache)
    return layer.to_quantized(group_size=64, bits=bits) if quantizable else layer


cache = make_cache(window_layers=1, full_layers=1)
for layer in cache:
    layer.update_and_fetch(mx.ones((1, 2, 5, 64)), mx.ones((1, 2, 5, 64)))
cache = [compress(layer, bits=8) for layer in cache]
print([type(layer).__name__ for layer in cache])
