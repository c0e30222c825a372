import mlx.core as mx

attention_mask = mx.array([1, 0, 0])
causal = mx.tril(mx.ones((3, 3), dtype=mx.int32))
mask = (causal * attention_mask) == 1

queries = keys = mx.ones((1, 2, 3, 8))
values = mx.broadcast_to(mx.array([1.0, 5.0, 9.0])[:, None], (1, 2, 3, 8))
attended = mx.fast.scaled_dot_product_attention(queries, keys, values, scale=1.0, mask=mask)

first = attended[0, :, 0]
print(f"the first token sees only itself, 1.0; it gets {first[0, 0].item():.1f}")
