import mlx.core as mx


def round_trip(weight, mode="nvfp4"):
    largest = mx.abs(weight).max().astype(mx.float32)
    packed, scales = mx.quantize(weight, mode=mode, global_scale=largest)
    return mx.dequantize(packed, scales, mode="mxfp4", global_scale=largest)


weight = mx.random.uniform(-2.0, 2.0, (4, 64))
restored = round_trip(weight)
print(restored.shape)
