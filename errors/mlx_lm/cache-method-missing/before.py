import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, KVCache


def make_cache(layer_types: list[str]) -> list:
    return [KVCache() if kind == "attention" else ArraysCache(2) for kind in layer_types]


def tokens_seen(cache: list) -> int:
    return cache[0].offset


cache = make_cache(["recurrent", "recurrent", "attention"])
keys = mx.ones((1, 2, 5, 8))
cache[2].update_and_fetch(keys, keys)
print(tokens_seen(cache), "tokens so far")
