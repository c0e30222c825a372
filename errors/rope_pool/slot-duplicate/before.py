import mlx.core as mx

import ropeguard


ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}


class Rows:
    def __init__(self, size):
        self.free = list(range(size))

    def take(self, count):
        return [self.free.pop() for _ in range(count)]

    def give_back(self, rows):
        self.free.extend(rows)


rows = Rows(16)
finished = rows.take(2)
for event in ("stop token", "client disconnected"):
    rows.give_back(finished)

slots = mx.array(rows.take(4))
q, k, v = (mx.random.normal((4, heads, 8)) for heads in (4, 2, 2))
k_pool, v_pool = (mx.zeros((16, 2, 8)) for _ in range(2))
with ropeguard.level("values"):
    q, k, k_pool, v_pool = ropeguard.rope_pool_fused(
        q, k, v, mx.array([8, 3, 5, 0]), slots, k_pool, v_pool, **ROPE
    )
print(q.shape, k_pool.shape)
