import mlx.core as mx

from ropeguard import rope_pool_fused


ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 500_000.0}


class Worker:
    def __init__(self, weights, rows):
        self.weights = weights
        self.k_pool, self.v_pool = (mx.zeros((rows, 2, 8), weights["k"].dtype) for _ in range(2))

    def prefill(self, x, slots):
        q, k, v = ((x @ self.weights[name].T).reshape(len(x), -1, 8) for name in "qkv")
        q, _, self.k_pool, self.v_pool = rope_pool_fused(
            q, k, v, mx.arange(len(x)), slots, self.k_pool, self.v_pool, **ROPE
        )
        return q


sizes = {"q": 32, "k": 16, "v": 16}
weights = {name: mx.ones((rows, 32), mx.bfloat16) for name, rows in sizes.items()}
worker = Worker(weights, rows=64)
print(worker.prefill(mx.ones((5, 32), mx.bfloat16), mx.arange(10, 15)).dtype)
