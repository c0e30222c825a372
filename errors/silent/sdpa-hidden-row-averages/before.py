import mlx.core as mx
from mlx_lm.models.base import quantized_scaled_dot_product_attention

mx.random.seed(0)
queries = mx.random.normal((2, 1, 1, 64))
memory = mx.quantize(mx.random.normal((2, 1, 4, 64)), group_size=64, bits=8)
lengths = mx.array([4, 0])
mask = (mx.arange(4) < lengths[:, None])[:, None, None]

attended = quantized_scaled_dot_product_attention(queries, memory, memory, 0.125, mask, bits=8)

average = mx.dequantize(*memory, group_size=64, bits=8).mean(axis=2, keepdims=True)
print("the row without memory is cleared:", mx.all(attended[1] == 0).item())
print("it is the average of all values:", mx.allclose(attended[1], average[1], atol=1e-4).item())
