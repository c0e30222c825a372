from mlx_lm.models.prism_hadamard_qwen35 import HadamardQuantizedLinear

HIDDEN = 128
layer = HadamardQuantizedLinear(HIDDEN, 64, block=0)
print(layer.weight.shape)
