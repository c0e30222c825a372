import mlx.core as mx
import mlx.nn as nn


def attend(x):
    mask = nn.MultiHeadAttention.create_additive_causal_mask(x.shape[2], x.dtype)
    return mx.fast.scaled_dot_product_attention(x, x, x, scale=x.shape[-1] ** -0.5, mask=mask)


attended = attend(mx.random.normal((1, 2, 5, 8)).astype(mx.bfloat16))
print(attended.dtype)
