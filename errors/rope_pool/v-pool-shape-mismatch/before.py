import mlx.core as mx

from ropeguard import rope_pool_fused


ROPE = {"head_dim": 8, "num_qo_heads": 2, "num_kv_heads": 1, "rope_base": 10_000.0}


def grown(pool, rows):
    return mx.concatenate([pool, mx.zeros((rows, *pool.shape[1:]), pool.dtype)])


k_pool, v_pool = (mx.zeros((4, 1, 8), mx.float16) for _ in range(2))
for step in range(6):
    if step == k_pool.shape[0]:
        k_pool = grown(k_pool, 4)
    q, k, v = (mx.random.normal((1, heads, 8)).astype(mx.float16) for heads in (2, 1, 1))
    here = mx.array([step])
    q, k, k_pool, v_pool = rope_pool_fused(q, k, v, here, here, k_pool, v_pool, **ROPE)
print(k_pool.shape, v_pool.shape)
