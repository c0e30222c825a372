import mlx.core as mx
import mlx.nn as nn


class Decoder(nn.Module):
    def __init__(self, dims: int, heads: int):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(dims, dims, bias=False)
        self.rope = nn.RoPE(dims // heads)

    def __call__(self, x, past=0):
        batch, length, _ = x.shape
        position_ids = mx.arange(past, past + length)
        queries = self.project(x).reshape(batch, length, self.heads, -1).swapaxes(1, 2)
        return self.rope(queries, offset=position_ids)


decoder = Decoder(dims=16, heads=2)
print(decoder(mx.ones((3, 5, 16)), past=7).shape)
