import mlx.core as mx


heads = 4
slopes = 2.0 ** -mx.arange(1, heads + 1)
distance = mx.arange(3)[:, None] - mx.arange(3)
bias = -slopes[:, None, None] * mx.abs(distance)
print("slopes", slopes.tolist())
print("bias of the first head", bias[0, -1].tolist())
