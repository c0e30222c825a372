import mlx.core as mx
import mlx.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, dims, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dims, 3 * dims, bias=False)
        self.out = nn.Linear(dims, dims, bias=False)

    def __call__(self, x):
        batch, tokens, dims = x.shape
        q, k, v = mx.split(self.qkv(x), 3, axis=-1)
        scale = (dims // self.heads) ** -0.5
        x = mx.fast.scaled_dot_product_attention(q, k, v, scale=scale)
        return self.out(x.swapaxes(1, 2).reshape(batch, tokens, dims))


layer = SelfAttention(16, heads=4)
out = layer(mx.random.normal((2, 6, 16)))
print(out.shape)
