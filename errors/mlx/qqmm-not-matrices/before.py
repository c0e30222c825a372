import mlx.core as mx


def expert_outputs(x, packed, scales):
    return mx.qqmm(x, packed, scales, mode="nvfp4")


weights = mx.random.normal((2, 4, 64))
outputs = expert_outputs(mx.ones((3, 64)), *mx.quantize(weights, mode="nvfp4"))
print(outputs.shape)
