import mlx.core as mx
import mlx.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, dims, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dims, dims)
        self.key = nn.Linear(dims, dims)

    def __call__(self, x, memory):
        queries = self.query(x).reshape(*x.shape[:2], self.heads, -1)
        keys = self.key(memory).reshape(*memory.shape[:2], self.heads, -1)
        return mx.einsum("bqhd,bhkd->bhqk", queries, keys)


scores = CrossAttention(dims=16, heads=4)(mx.zeros((2, 3, 16)), mx.zeros((2, 5, 16)))
print(scores.shape)
