import mlx.core as mx

mx.set_default_device(mx.cpu)


def rotated_rows(weights, precision=mx.float64):
    return mx.hadamard_transform(weights.astype(precision))


weights = mx.random.normal((3, 16))
rotated = rotated_rows(weights)
mx.eval(rotated)
print(rotated.shape)
