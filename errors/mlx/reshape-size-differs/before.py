import mlx.core as mx
import mlx.nn as nn


class Keys(nn.Module):
    def __init__(self, dims, heads, kv_heads):
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads
        self.head_dim = dims // heads
        self.k_proj = nn.Linear(dims, kv_heads * self.head_dim, bias=False)

    def __call__(self, x):
        batch, tokens, _ = x.shape
        keys = self.k_proj(x).reshape(batch, tokens, self.heads, self.head_dim)
        return keys.swapaxes(1, 2)


layer = Keys(32, heads=4, kv_heads=2)
keys = layer(mx.random.normal((1, 5, 32)))
print(keys.shape)
