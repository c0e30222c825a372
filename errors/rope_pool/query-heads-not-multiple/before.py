import mlx.core as mx

from ropeguard import rope_pool_fused


HEAD_DIM, SHARDS = 8, 2
config = {"num_attention_heads": 6, "num_key_value_heads": 2, "rope_theta": 1_000_000.0}
heads = config["num_attention_heads"] // SHARDS
kv_heads = config["num_key_value_heads"]


def shard(count):
    return mx.random.normal((count * HEAD_DIM, 48))


x = mx.random.normal((5, 48))
q, k, v = ((x @ shard(n).T).reshape(5, n, HEAD_DIM) for n in (heads, kv_heads, kv_heads))
k_pool, v_pool = (mx.zeros((16, kv_heads, HEAD_DIM)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(
    *(q, k, v, mx.arange(5), mx.arange(5), k_pool, v_pool),
    head_dim=HEAD_DIM,
    num_qo_heads=heads,
    num_kv_heads=kv_heads,
    rope_base=config["rope_theta"],
)
print(q.shape, k_pool.shape)
