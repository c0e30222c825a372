import mlx.core as mx

import ropeguard


WIDTH = 5
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}

lengths = mx.array([3, 5])
offsets = mx.arange(WIDTH) - (WIDTH - lengths)[:, None]
rows = mx.array([[0, 0, 2, 3, 4], [5, 6, 7, 8, 9]])
slots = mx.where(offsets < 0, -1, rows).flatten()
positions = offsets.flatten()

q, k, v = (mx.random.normal((2 * WIDTH, heads, 8)) for heads in (4, 2, 2))
k_pool, v_pool = (mx.zeros((16, 2, 8)) for _ in range(2))
with ropeguard.level("values"):
    q, k, k_pool, v_pool = ropeguard.rope_pool_fused(
        q, k, v, positions, slots, k_pool, v_pool, **ROPE
    )
print(q.shape, k_pool.shape)
