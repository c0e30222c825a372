import mlx.core as mx

from ropeguard import rope_pool_fused


ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}
weights = {
    "q": mx.random.normal((32, 32)).astype(mx.bfloat16),
    "k": mx.random.normal((16, 32)).astype(mx.bfloat16),
    "v": mx.random.normal((16, 32)).astype(mx.bfloat16),
    "k_scale": mx.array([[0.5], [0.25]]),
}

x = mx.random.normal((5, 32)).astype(mx.bfloat16)
q, k, v = ((x @ weights[name].T).reshape(5, -1, 8) for name in "qkv")
k = k * weights["k_scale"]
k_pool, v_pool = (mx.zeros((16, 2, 8), mx.bfloat16) for _ in range(2))
index = mx.arange(5)
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, index, index, k_pool, v_pool, **ROPE)
print(q.dtype, k_pool.dtype)
