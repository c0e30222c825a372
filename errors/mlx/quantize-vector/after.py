import mlx.core as mx


def quantized_scales(weights):
    scales = {}
    for name, weight in weights.items():
        if weight.ndim >= 2:
            _, scales[name], _ = mx.quantize(weight)
    return scales


weights = {"mlp.weight": mx.ones((8, 64)), "norm.weight": mx.ones((64,))}
scales = quantized_scales(weights)
print(list(scales))
