import mlx.core as mx

from ropeguard import rope_pool_fused


HEADS, QK_DIM, V_DIM = 2, 8, 6
ROPE = {"head_dim": 8, "num_qo_heads": 2, "num_kv_heads": 2, "rope_base": 10_000.0}


def expand_latent(latent, weight):
    kv = (latent @ weight.T).reshape(latent.shape[0], HEADS, QK_DIM + V_DIM)
    k, v = mx.split(kv, [QK_DIM], axis=-1)
    return k, mx.pad(v, ((0, 0), (0, 0), (0, QK_DIM - V_DIM)))


latent = mx.random.normal((5, 16))
k, v = expand_latent(latent, mx.random.normal((HEADS * (QK_DIM + V_DIM), 16)))
q = mx.random.normal((5, HEADS, QK_DIM))
k_pool, v_pool = (mx.zeros((16, HEADS, QK_DIM)) for _ in range(2))
index = mx.arange(5)
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, index, index, k_pool, v_pool, **ROPE)

q, keys, values = (x[:5].swapaxes(0, 1)[None] for x in (q, k_pool, v_pool))
out = mx.fast.scaled_dot_product_attention(q, keys, values, scale=QK_DIM**-0.5, mask="causal")
print(out[..., :V_DIM].shape)
