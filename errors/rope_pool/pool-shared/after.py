import mlx.core as mx

from ropeguard import KVPool


pool = KVPool(1, 64, kv_heads=2, head_dim=8, dtype=mx.float16, on_shared="error")
kept = []
for step in range(3):
    q, k, v = (mx.random.normal((1, n, 8)).astype(mx.float16) for n in (4, 2, 2))
    position = mx.array([step], mx.int32)
    q, k = pool.append(0, q, k, v, position, pool.allocate(1), rope_base=10_000.0)
    kept.append(pool.arrays(0)[0][: step + 1] + 0)
print(len(kept))
