from dataclasses import dataclass

import mlx.core as mx

from ropeguard import rope_pool_fused


@dataclass
class Config:
    num_attention_heads: int = 8
    num_key_value_heads: int = 2
    head_dim: int = 8
    rope_theta: float = 500_000.0


def make_pools(config, rows):
    shape = (rows, config.num_key_value_heads, config.head_dim)
    return mx.zeros(shape, mx.bfloat16), mx.zeros(shape, mx.bfloat16)


config = Config()
k_pool, v_pool = make_pools(config, rows=64)
q, k, v = (mx.random.normal((5, heads, 8)).astype(mx.bfloat16) for heads in (8, 2, 2))
q, k, k_pool, v_pool = rope_pool_fused(
    *(q, k, v, mx.arange(5), mx.arange(40, 45), k_pool, v_pool),
    head_dim=config.head_dim,
    num_qo_heads=config.num_attention_heads,
    num_kv_heads=config.num_key_value_heads,
    rope_base=config.rope_theta,
)
print(k_pool.shape, k_pool.nbytes)
