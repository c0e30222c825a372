import mlx.core as mx


def variances(factors):
    covariances = factors @ factors.swapaxes(-1, -2)
    return mx.diagonal(covariances, axis1=-2, axis2=-1)


factors = mx.array([[[1.0, 0.0], [0.0, 2.0]], [[3.0, 0.0], [0.0, 4.0]]])
scales = variances(factors)
print(scales.tolist())
