import mlx.core as mx
from mlx_lm.models.cache import RotatingKVCache


def append(cache: RotatingKVCache, token: int) -> mx.array:
    state = mx.full((1, 1, 1, 4), float(token))
    return cache.update_and_fetch(state, state)[0]


def filled(tokens: list[int]) -> RotatingKVCache:
    cache = RotatingKVCache(max_size=4)
    for token in tokens:
        append(cache, token)
    return cache


cache = filled([0, 1, 2, 3, 4, 5])
cache.trim(2)
held = append(cache, 9)[0, 0, :, 0].astype(mx.int32).tolist()
print("tokens 4 and 5 were taken back, the window holds", held)
