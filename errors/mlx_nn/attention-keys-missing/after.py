import mlx.core as mx
import mlx.nn as nn


class Block(nn.Module):
    def __init__(self, dims: int, heads: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dims)
        self.attention = nn.MultiHeadAttention(dims, heads)

    def __call__(self, x: mx.array) -> mx.array:
        y = self.norm(x)
        mask = nn.MultiHeadAttention.create_additive_causal_mask(x.shape[1])
        return x + self.attention(y, y, y, mask=mask)


layer = Block(16, 2)
print(layer(mx.random.normal((1, 4, 16))).shape)
