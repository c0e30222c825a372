from mlx_lm.models.prism_hadamard_qwen35 import HadamardQuantizedLinear

HIDDEN = 96
layer = HadamardQuantizedLinear(HIDDEN, 64, block=0)
print(layer.weight.shape)
