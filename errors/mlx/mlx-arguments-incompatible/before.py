import mlx.core as mx
import mlx.nn as nn


class Attention(nn.Module):
    def __init__(self, dims: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dims, 3 * dims, bias=False)
        self.out = nn.Linear(dims, dims, bias=False)

    def __call__(self, x):
        batch, length, dims = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, -1)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)
        scale = q.shape[-1] ** -0.5
        mixed = mx.fast.scaled_dot_product_attention(q, k, v, "causal", scale)
        return self.out(mixed.swapaxes(1, 2).reshape(batch, length, dims))


attention = Attention(dims=32, heads=4)
print(attention(mx.ones((2, 6, 32))).shape)
