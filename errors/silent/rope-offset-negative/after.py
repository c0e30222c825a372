import mlx.core as mx
import mlx.nn as nn


def resume(cached: int, dropped: int) -> int:
    return max(cached - dropped, 0)


rope = nn.RoPE(8)
queries = mx.ones((1, 2, 3, 8))
first = resume(cached=3, dropped=5)
rotated = rope(queries, offset=first)
print("offset:", first)
print("the first token is at place 0:", mx.allclose(rotated[:, :, 0], queries[:, :, 0]).item())
