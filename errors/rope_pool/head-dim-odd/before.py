import mlx.core as mx

from ropeguard import rope_pool_fused


hidden_size, num_heads, num_kv_heads = 60, 4, 2
head_dim = hidden_size // num_heads


def heads_of(x, count):
    weight = mx.random.normal((count * head_dim, hidden_size)) * hidden_size**-0.5
    return (x @ weight.T).reshape(x.shape[0], count, head_dim)


x = mx.random.normal((3, hidden_size))
q, k, v = (heads_of(x, count) for count in (num_heads, num_kv_heads, num_kv_heads))
k_pool, v_pool = (mx.zeros((8, num_kv_heads, head_dim)) for _ in range(2))
q, k, k_pool, v_pool = rope_pool_fused(
    *(q, k, v, mx.arange(3), mx.arange(3), k_pool, v_pool),
    head_dim=head_dim,
    num_qo_heads=num_heads,
    num_kv_heads=num_kv_heads,
    rope_base=10_000.0,
)
print(q.shape, k_pool.shape)
