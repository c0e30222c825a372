import mlx.core as mx

from ropeguard import rope_pool_fused


LAYERS, ROWS, KV_HEADS, HEAD_DIM = 3, 16, 2, 8
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}

shape = (ROWS, KV_HEADS, HEAD_DIM)
pools = [[mx.zeros(shape, mx.float16) for _ in "kv"] for _ in range(LAYERS)]
index = mx.arange(5)
for layer in range(LAYERS):
    q, k, v = (mx.random.normal((5, n, HEAD_DIM)).astype(mx.float16) for n in (4, 2, 2))
    q, _, *pools[layer] = rope_pool_fused(q, k, v, index, index, *pools[layer], **ROPE)
print(len(pools), q.shape)
