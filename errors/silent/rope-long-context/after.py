import mlx.core as mx
import mlx.nn as nn

rope = nn.RoPE(8)
mx.random.seed(0)
query, key = mx.random.normal((2, 1, 1, 1, 8))


def score(query_at: int, key_at: int) -> float:
    return (rope(query, offset=query_at) * rope(key, offset=key_at)).sum().item()


window_start, key_at, query_at = 10_000_000, 10_000_002, 10_000_005
near = score(query_at=5, key_at=2)
far = score(query_at - window_start, key_at - window_start)
print("three tokens apart, the same score at every place:", abs(far - near) < 1e-3)
