import mlx.core as mx
import mlx.nn as nn


def embedding_table(layer, dtype=None):
    return mx.dequantize(
        layer.weight,
        layer.scales,
        layer.biases,
        group_size=layer.group_size,
        bits=layer.bits,
        dtype=dtype or layer.weight.dtype,
    )


layer = nn.Embedding(4, 64).to_quantized()
layer.scales, layer.biases = layer.scales.astype(mx.float16), layer.biases.astype(mx.float16)
table = embedding_table(layer)
print(table.dtype)
