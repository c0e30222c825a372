import mlx.core as mx


def causal_mask(tokens, offset=0):
    queries = mx.arange(offset, offset + tokens)
    return queries[:, None] >= mx.arange(offset + tokens)


def attend(q, k, v, mask):
    return mx.fast.scaled_dot_product_attention(q, k, v, scale=q.shape[-1] ** -0.5, mask=mask)


cached = mx.random.normal((1, 2, 5, 16))
chunk = mx.random.normal((1, 2, 3, 16))
keys = mx.concatenate([cached, chunk], axis=2)
queries = mx.random.normal((1, 4, 3, 16))
mask = causal_mask(chunk.shape[2])
out = attend(queries, keys, keys, mask)
print(out.shape)
