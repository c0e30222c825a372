import mlx.core as mx
from mlx_lm.quant.gptq import quantize

BITS = 4

weight = mx.random.normal((4, 64))
low = weight.reshape(4, 2, 32).min(axis=-1)
high = weight.reshape(4, 2, 32).max(axis=-1)
scales = (high - low) / (2**BITS - 1)
packed = quantize(weight, BITS, scales, biases=low)
print(packed.shape)
