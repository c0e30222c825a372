import mlx.core as mx


def quantized(weights):
    packed = {}
    for name, weight in weights.items():
        is_matrix = weight.ndim == 2 and mx.issubdtype(weight.dtype, mx.floating)
        packed[name] = mx.quantize(weight)[0] if is_matrix else weight
    return packed


weights = {"proj.weight": mx.ones((8, 64)), "position_ids": mx.arange(64)[None].astype(mx.int32)}
packed = quantized(weights)
print({name: weight.dtype for name, weight in packed.items()})
