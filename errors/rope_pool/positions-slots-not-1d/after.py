import mlx.core as mx

from ropeguard import rope_pool_fused


DRAFT = 3
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}

slot_table = mx.array([[0, 1, 2, 3, 8, 9], [4, 5, 6, 7, 10, 11]])
lengths = mx.array([2, 3])
ahead = lengths[:, None] + mx.arange(DRAFT)
positions, slots = ahead.flatten(), mx.take_along_axis(slot_table, ahead, axis=1).flatten()

tokens = lengths.size * DRAFT
q, k, v = (mx.random.normal((tokens, heads, 8)) for heads in (4, 2, 2))
k_pool, v_pool = (mx.zeros((16, 2, 8)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, positions, slots, k_pool, v_pool, **ROPE)
print(q.shape, k_pool.shape)
