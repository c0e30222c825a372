import mlx.core as mx


def whitening(activations):
    centred = activations - activations.mean(axis=0)
    covariance = centred.T @ centred / activations.shape[0]
    return mx.linalg.inv(covariance + 1e-3 * mx.eye(4), stream=mx.cpu)


activations = mx.array([[1.0, 2.0, 2.0, 0.0], [3.0, 1.0, 1.0, 0.0], [0.0, 4.0, 4.0, 0.0]])
precision = whitening(activations)
print(precision)
