import mlx.core as mx


def energy(x):
    squares = x * x
    return squares, mx.max(squares)


x = mx.array([1.0, 2.0, 3.0])
weights = [mx.ones((3,)), mx.array(0.0)]
_, gradients = mx.vjp(energy, [x], weights)
print(gradients)
