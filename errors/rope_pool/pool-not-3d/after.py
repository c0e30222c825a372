import mlx.core as mx

from ropeguard import rope_pool_fused


PAGES, PAGE_SIZE, KV_HEADS, HEAD_DIM = 8, 4, 2, 8
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 1_000_000.0}


class LayerPool:
    def __init__(self, dtype):
        shape = (PAGES * PAGE_SIZE, KV_HEADS, HEAD_DIM)
        self.keys, self.values = mx.zeros(shape, dtype), mx.zeros(shape, dtype)

    def append(self, q, k, v, positions, slots):
        q, _, self.keys, self.values = rope_pool_fused(
            q, k, v, positions, slots, self.keys, self.values, **ROPE
        )
        return q


pool = LayerPool(mx.bfloat16)
page_table = mx.array([5, 2])
positions = mx.arange(6)
slots = page_table[positions // PAGE_SIZE] * PAGE_SIZE + positions % PAGE_SIZE
q, k, v = (mx.random.normal((6, heads, HEAD_DIM)).astype(mx.bfloat16) for heads in (4, 2, 2))
print(pool.append(q, k, v, positions, slots).shape)
