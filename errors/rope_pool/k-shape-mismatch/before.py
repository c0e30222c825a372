import mlx.core as mx

from ropeguard import rope_pool_fused


REQUESTS, HEADS, KV_HEADS, HEAD_DIM = 3, 4, 2, 8
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 500_000.0}


def decode_step(qkv, lengths, slots, k_pool, v_pool):
    q, k, v = mx.split(qkv, [HEADS, HEADS + KV_HEADS], axis=1)
    k, v = (mx.repeat(x, HEADS // KV_HEADS, axis=1) for x in (k, v))
    return rope_pool_fused(q, k, v, lengths, slots, k_pool, v_pool, **ROPE)


qkv = mx.random.normal((REQUESTS, HEADS + 2 * KV_HEADS, HEAD_DIM))
lengths, slots = mx.array([7, 31, 2]), mx.array([12, 3, 9])
k_pool, v_pool = (mx.zeros((32, KV_HEADS, HEAD_DIM)) for _ in range(2))
q, k, k_pool, v_pool = decode_step(qkv, lengths, slots, k_pool, v_pool)

keys, values = (pool[slots].swapaxes(0, 1)[None] for pool in (k_pool, v_pool))
out = mx.fast.scaled_dot_product_attention(q.swapaxes(0, 1)[None], keys, values, scale=8**-0.5)
print(out.shape)
