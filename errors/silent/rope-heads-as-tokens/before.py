import mlx.core as mx
import mlx.nn as nn


class RotatedHeads(nn.Module):
    def __init__(self, dims: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.rope = nn.RoPE(dims // heads)

    def __call__(self, x: mx.array) -> mx.array:
        batch, tokens, _ = x.shape
        heads = x.reshape(batch, tokens, self.heads, -1)
        return self.rope(heads).reshape(x.shape)


turned = RotatedHeads(dims=32, heads=4)(mx.ones((2, 6, 32)))
alike = mx.allclose(turned[0, 0], turned[0, 5], atol=1e-3).item()
print("the same token at places 0 and 5 is rotated alike:", alike)
