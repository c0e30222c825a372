import mlx.core as mx


def loss(weights):
    energies = mx.diag(weights.T @ weights)
    return 0.5 * mx.sum(energies)


weights = mx.random.normal((4, 3))
gradient = mx.grad(loss)(weights)
print(gradient.shape)
