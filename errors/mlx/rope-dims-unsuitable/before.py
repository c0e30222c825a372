import mlx.core as mx
import mlx.nn as nn


class Queries(nn.Module):
    def __init__(self, dims: int, heads: int):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(dims, dims, bias=False)
        self.rope = nn.RoPE(dims)

    def __call__(self, x, offset=0):
        batch, length, _ = x.shape
        queries = self.project(x).reshape(batch, length, self.heads, -1)
        return self.rope(queries.swapaxes(1, 2), offset=offset)


queries = Queries(dims=32, heads=4)
print(queries(mx.ones((2, 5, 32))).shape)
