import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, KVCache, trim_prompt_cache


def filled(tokens: list[int]) -> list[KVCache | ArraysCache]:
    attention, recurrent = KVCache(), ArraysCache(1)
    keys = mx.array(tokens, mx.float32).reshape(1, 1, -1, 1)
    attention.update_and_fetch(keys, keys)
    recurrent[0] = keys.sum(axis=2)
    return [attention, recurrent]


tokens = [5, 3, 8, 1, 9, 2, 7, 4]
cache = filled(tokens)
rejected = 3
if trim_prompt_cache(cache, rejected) < rejected:
    cache = filled(tokens[:-rejected])
print("tokens in the cache:", cache[0].offset, "of", len(tokens) - rejected)
