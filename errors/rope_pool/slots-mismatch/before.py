import mlx.core as mx

from ropeguard import KVPool


pool = KVPool(2, 64, kv_heads=2, head_dim=8, dtype=mx.float16)
prompt, chunk = 12, 4
rows = list(range(prompt))
for start in range(0, prompt, chunk):
    q, k, v = (mx.random.normal((chunk, n, 8)).astype(mx.float16) for n in (4, 2, 2))
    positions = mx.arange(start, start + chunk, dtype=mx.int32)
    slots = pool.slots(rows)
    q, k = pool.append(0, q, k, v, positions, slots, rope_base=10_000.0)
print(q.shape)
