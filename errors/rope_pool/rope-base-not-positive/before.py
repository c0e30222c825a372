import json
from dataclasses import dataclass, field

import mlx.core as mx

from ropeguard import rope_pool_fused


@dataclass
class ModelArgs:
    head_dim: int
    num_attention_heads: int
    num_key_value_heads: int
    rope_theta: float = 0.0
    rope_parameters: dict = field(default_factory=dict)


text = """{"head_dim": 8, "num_attention_heads": 4, "num_key_value_heads": 2,
"rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0}}"""
args = ModelArgs(**json.loads(text))
q, k, v = (mx.random.normal((5, heads, 8)) for heads in (4, 2, 2))
k_pool, v_pool = (mx.zeros((16, 2, 8)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(
    *(q, k, v, mx.arange(5), mx.arange(5), k_pool, v_pool),
    head_dim=args.head_dim,
    num_qo_heads=args.num_attention_heads,
    num_kv_heads=args.num_key_value_heads,
    rope_base=args.rope_theta,
)
print(q.shape, k_pool.shape)
