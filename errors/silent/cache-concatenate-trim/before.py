import mlx.core as mx
from mlx_lm.models.cache import ConcatenateKVCache, KVCache


def append(cache: KVCache | ConcatenateKVCache, token: int) -> mx.array:
    state = mx.full((1, 1, 1, 4), float(token))
    return cache.update_and_fetch(state, state)[0]


cache = ConcatenateKVCache()
for token in (1, 2, 3):
    append(cache, token)
print("trimmed:", cache.trim(2), "offset:", cache.offset)
keys = append(cache, 9)
print("tokens:", keys[0, 0, :, 0].astype(mx.int32).tolist(), "offset:", cache.offset)
