import mlx.core as mx
from mlx_lm.models.cache import BatchRotatingKVCache


def forward(cache, tokens: int) -> tuple:
    keys = mx.ones((2, 2, tokens, 8))
    return cache.update_and_fetch(keys, keys)


def prefill(cache, lengths: list[int]) -> None:
    longest = max(lengths)
    cache.prepare(lengths=lengths, right_padding=[longest - it for it in lengths])
    forward(cache, longest)
    cache.finalize()


cache = BatchRotatingKVCache(16, [0, 0])
prefill(cache, lengths=[4, 3])
forward(cache, tokens=1)
print(cache.offset.tolist(), cache.left_padding.tolist())
