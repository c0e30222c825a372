import mlx.core as mx
import mlx.nn as nn

from ropeguard import rope_pool_fused


BUCKET, HEADS, KV_HEADS, HEAD_DIM = 8, 4, 2, 8
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}
embed = nn.Embedding(512, 32)
project = nn.Linear(32, (HEADS + 2 * KV_HEADS) * HEAD_DIM, bias=False)

prompt = [11, 7, 301, 42, 5]
granted = [9, 3, 12, 0, 6]
padding = BUCKET - len(prompt)
tokens = mx.array(prompt + [0] * padding)
slots = mx.array(granted)

qkv = project(embed(tokens)).reshape(BUCKET, -1, HEAD_DIM)
q, k, v = mx.split(qkv, [HEADS, HEADS + KV_HEADS], axis=1)
k_pool, v_pool = (mx.zeros((16, KV_HEADS, HEAD_DIM)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, mx.arange(BUCKET), slots, k_pool, v_pool, **ROPE)
print(q.shape, k_pool.shape)
