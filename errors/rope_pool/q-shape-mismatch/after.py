import json

import mlx.core as mx

from ropeguard import rope_pool_fused


config = json.loads(
    """{"hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 16, "rope_theta": 1000000.0}"""
)
heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
head_dim = config.get("head_dim") or config["hidden_size"] // heads
weights = {name: mx.random.normal((rows, 32)) for name, rows in (("q", 64), ("k", 32), ("v", 32))}

x = mx.random.normal((5, 32))
q, k, v = ((x @ weights[name].T).reshape(5, -1, head_dim) for name in "qkv")
k_pool, v_pool = (mx.zeros((16, kv_heads, head_dim)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(
    *(q, k, v, mx.arange(5), mx.arange(5), k_pool, v_pool),
    head_dim=head_dim,
    num_qo_heads=heads,
    num_kv_heads=kv_heads,
    rope_base=config["rope_theta"],
)
print(q.shape, k_pool.shape)
