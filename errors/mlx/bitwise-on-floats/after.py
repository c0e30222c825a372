import mlx.core as mx


def attention_mask(lengths, size):
    padding = mx.arange(size) < lengths[:, None]
    causal = mx.tril(mx.ones((size, size), dtype=mx.bool_))
    return causal & padding[:, None]


allowed = attention_mask(mx.array([2, 3]), size=3)
print(allowed)
