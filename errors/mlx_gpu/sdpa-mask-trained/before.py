import mlx.core as mx
import mlx.nn as nn


class Biased(nn.Module):
    def __init__(self, heads: int, length: int) -> None:
        super().__init__()
        self.bias = mx.zeros((heads, length, length), dtype=mx.float16)

    def __call__(self, q: mx.array, k: mx.array, v: mx.array) -> mx.array:
        scale = q.shape[-1] ** -0.5
        return mx.fast.scaled_dot_product_attention(q, k, v, scale=scale, mask=self.bias)


layer = Biased(heads=2, length=128)
step = nn.value_and_grad(layer, lambda layer, x: layer(x, x, x).square().mean())
x = mx.random.normal((1, 2, 128, 64), dtype=mx.float16)
loss, gradients = step(layer, x)
mx.eval(loss, gradients)
print(gradients["bias"].shape)
