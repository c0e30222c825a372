import mlx.core as mx
import mlx.nn as nn


mx.random.seed(0)
layer = nn.Linear(64, 64, bias=False)
x = mx.random.normal((2, 64))

quantized = mx.quantize(layer.weight)
output = mx.quantized_matmul(x, *quantized, transpose=True)
expected = nn.QuantizedLinear.from_linear(layer)(x)
print(output.shape, expected.shape)
print("agrees with the quantised layer:", mx.allclose(output, expected, atol=1e-3).item())
