import mlx.core as mx
import mlx.nn as nn

from ropeguard import rope_pool_fused


BATCH, SEQ, HEADS, KV_HEADS, HEAD_DIM = 2, 3, 4, 2, 8
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}


class Projection(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(32, (HEADS + 2 * KV_HEADS) * HEAD_DIM, bias=False)

    def __call__(self, x):
        heads = self.qkv(x).reshape(BATCH, SEQ, -1, HEAD_DIM)
        return mx.split(heads, [HEADS, HEADS + KV_HEADS], axis=-2)


q, k, v = Projection()(mx.random.normal((BATCH, SEQ, 32)))
positions = mx.tile(mx.arange(SEQ), BATCH)
slots = mx.arange(BATCH * SEQ)
k_pool, v_pool = (mx.zeros((16, KV_HEADS, HEAD_DIM)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(q, k, v, positions, slots, k_pool, v_pool, **ROPE)
print(q.shape, k_pool.shape)
