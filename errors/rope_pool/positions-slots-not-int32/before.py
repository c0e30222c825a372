import mlx.core as mx

from ropeguard import rope_pool_fused


ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}


def free_rows(in_use, count):
    return mx.argsort(in_use)[:count]


in_use = mx.array([1, 0, 1, 1, 0, 0, 1, 0])
slots = free_rows(in_use, 3)
q, k, v = (mx.random.normal((3, heads, 8)) for heads in (4, 2, 2))
k_pool, v_pool = (mx.zeros((8, 2, 8)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, mx.arange(3), slots, k_pool, v_pool, **ROPE)
print(slots.dtype, k_pool.shape)
