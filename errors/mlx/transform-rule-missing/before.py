import mlx.core as mx


def loss(weights):
    energies = mx.linalg.eigvalsh(weights.T @ weights, stream=mx.cpu)
    return 0.5 * mx.sum(energies)


weights = mx.random.normal((4, 3))
gradient = mx.grad(loss)(weights)
print(gradient.shape)
