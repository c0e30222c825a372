import mlx.core as mx
import mlx.nn as nn


class Attention(nn.Module):
    def __init__(self, dims, heads, kv_heads):
        super().__init__()
        self.heads = heads
        self.kv_heads = kv_heads
        self.query = nn.Linear(dims, dims)
        self.key = nn.Linear(dims, dims * kv_heads // heads)
        self.sinks = mx.zeros((heads,))

    def __call__(self, x):
        q = self.query(x).reshape(*x.shape[:2], self.heads, -1).swapaxes(1, 2)
        k = self.key(x).reshape(*x.shape[:2], self.kv_heads, -1).swapaxes(1, 2)
        return mx.fast.scaled_dot_product_attention(q, k, k, scale=0.5, sinks=self.sinks)


layer = Attention(dims=32, heads=8, kv_heads=2)
print(layer(mx.ones((1, 3, 32))).shape)
