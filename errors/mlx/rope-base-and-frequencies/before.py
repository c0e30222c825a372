import mlx.core as mx
import mlx.nn as nn


class Rotary(nn.Module):
    def __init__(self, dims, base=10000.0, table=None):
        super().__init__()
        self.dims = dims
        self.base = base
        self.table = table

    def __call__(self, x, offset=0):
        return mx.fast.rope(
            x,
            self.dims,
            traditional=False,
            base=self.base,
            scale=1.0,
            offset=offset,
            freqs=self.table,
        )


print(Rotary(8, table=mx.array([1.0, 40.0, 400.0, 4000.0]))(mx.ones((1, 2, 5, 8))).shape)
