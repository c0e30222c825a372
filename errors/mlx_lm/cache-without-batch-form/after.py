import mlx.core as mx
from mlx_lm.generate import _merge_caches
from mlx_lm.models.cache import KVCache


def history(tokens: int) -> list:
    layers = [KVCache(), KVCache()]
    for layer in layers:
        layer.update_and_fetch(mx.ones((1, 2, tokens, 64)), mx.ones((1, 2, tokens, 64)))
    return layers


batch = _merge_caches([history(tokens=5), history(tokens=3)])
print([type(layer).__name__ for layer in batch])
