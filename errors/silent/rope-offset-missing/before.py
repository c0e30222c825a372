import mlx.core as mx
import mlx.nn as nn


class Cache:
    def __init__(self) -> None:
        self.offset = 0


def rotate(rope: nn.RoPE, queries: mx.array, cache: Cache) -> mx.array:
    rotated = rope(queries)
    cache.offset += queries.shape[2]
    return rotated


rope = nn.RoPE(8)
mx.random.seed(0)
text = mx.random.normal((1, 2, 6, 8))
whole = rope(text)

cache = Cache()
prompt, step = rotate(rope, text[:, :, :5], cache), rotate(rope, text[:, :, 5:], cache)
print("prompt as in one call:", mx.allclose(prompt, whole[:, :, :5], atol=1e-5).item())
print("step as in one call:", mx.allclose(step, whole[:, :, 5:], atol=1e-5).item())
