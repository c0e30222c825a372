import mlx.core as mx

from ropeguard import KVPool


pool = KVPool(1, 64, kv_heads=2, head_dim=8, dtype=mx.float16)
q, k, v = (mx.random.normal((3, n, 8)).astype(mx.float16) for n in (4, 2, 2))
positions = mx.arange(3, dtype=mx.int32)
q, k = pool.append(0, q, k, v, positions, pool.allocate(3), rope_base=10_000.0)
print(q.dtype)
