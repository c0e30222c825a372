import mlx.core as mx
from mlx_lm.models.base import scaled_dot_product_attention
from mlx_lm.models.cache import KVCache, QuantizedKVCache

sinks = mx.random.normal((4,))


def attend(cache, hidden: mx.array) -> mx.array:
    keys, values = cache.update_and_fetch(hidden[:, :2], hidden[:, :2])
    return scaled_dot_product_attention(
        hidden, keys, values, cache=cache, scale=64**-0.5, mask=None, sinks=sinks
    )


cache = KVCache()
print(attend(cache, mx.random.normal((1, 4, 1, 64))).shape)
