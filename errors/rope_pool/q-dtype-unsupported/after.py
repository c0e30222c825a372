import mlx.core as mx

from ropeguard import rope_pool_fused


TOKENS, HEAD_DIM = 5, 8
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}


def numbered(heads):
    numbers = mx.arange(TOKENS * heads * HEAD_DIM, dtype=mx.float32)
    return numbers.reshape(TOKENS, heads, HEAD_DIM)


q, k, v = numbered(4), numbered(2), numbered(2)
k_pool, v_pool = (mx.zeros((16, 2, HEAD_DIM)) for _ in range(2))
slots = mx.array([3, 14, 1, 5, 9])
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, mx.arange(TOKENS), slots, k_pool, v_pool, **ROPE)
print("value rows unchanged:", mx.array_equal(v_pool[slots], v).item())
