import mlx.core as mx
import mlx.nn as nn


class FusedProjection(nn.Module):
    def __init__(self, dims, heads, kv_heads, head_dim):
        super().__init__()
        self.cuts = [heads * head_dim, (heads + kv_heads) * head_dim]
        self.qkv = nn.Linear(dims, (heads + 2 * kv_heads) * head_dim)

    def __call__(self, x):
        return mx.split(self.qkv(x), 3, axis=-1)


project = FusedProjection(24, heads=4, kv_heads=2, head_dim=8)
q, k, v = project(mx.random.normal((1, 5, 24)))
print(q.shape, k.shape, v.shape)
