import mlx.core as mx
import mlx.nn as nn


class Attention(nn.Module):
    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.out = nn.QuantizedLinear(dim, dim, bias=False)

    def __call__(self, x: mx.array) -> mx.array:
        q = x.reshape(*x.shape[:2], self.heads, -1).swapaxes(1, 2)
        mixed = mx.fast.scaled_dot_product_attention(q, q, q, scale=q.shape[-1] ** -0.5)
        mixed = mixed.swapaxes(1, 2).reshape(x.shape)
        return self.out(mixed)


attention = Attention(dim=128, heads=4)
out = attention(mx.random.normal((1, 5, 128)))
print(out.shape)
