import mlx.core as mx


def padding_mask(lengths, tokens):
    real = mx.arange(tokens) < lengths[:, None]
    return real[:, None, None]


def encode(x, mask):
    scale = x.shape[-1] ** -0.5
    return mx.fast.scaled_dot_product_attention(x, x, x, scale=scale, mask=mask[:, None])


hidden = mx.random.normal((2, 4, 3, 8))
padding = padding_mask(mx.array([3, 2]), tokens=3)
print(encode(hidden, padding).shape)
