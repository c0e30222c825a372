import mlx.core as mx
import mlx.nn as nn


class Queries(nn.Module):
    def __init__(self, dims, heads, head_dim):
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(dims, heads * head_dim, bias=False)
        self.q_norm = nn.RMSNorm(head_dim)

    def __call__(self, x):
        batch, tokens, _ = x.shape
        q = self.q_norm(self.q_proj(x)).reshape(batch, tokens, self.heads, -1)
        return q.swapaxes(1, 2)


layer = Queries(24, heads=4, head_dim=8)
queries = layer(mx.random.normal((1, 5, 24)))
print(queries.shape)
