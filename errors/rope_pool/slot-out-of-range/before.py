import mlx.core as mx

import ropeguard


PAGES, PAGE_SIZE = 6, 4
ROPE = {"head_dim": 8, "num_qo_heads": 4, "num_kv_heads": 2, "rope_base": 10_000.0}


def slots_of(page_table, positions):
    return page_table[positions // PAGE_SIZE] * PAGE_SIZE + positions % PAGE_SIZE


positions = mx.arange(5)
slots = slots_of(mx.array([1, 4]), positions)
k_pool, v_pool = (mx.zeros((PAGES, 2, 8)) for _ in range(2))
q, k, v = (mx.random.normal((5, heads, 8)) for heads in (4, 2, 2))
with ropeguard.level("values"):
    q, k, k_pool, v_pool = ropeguard.rope_pool_fused(
        q, k, v, positions, slots, k_pool, v_pool, **ROPE
    )
print(q.shape, k_pool.shape)
