import mlx.core as mx


def decay_rows(momentum, touched, rate):
    return momentum.at.multiply(rate)


momentum = decay_rows(mx.ones((4, 2)), touched=mx.array([1, 3, 1]), rate=0.5)
print(momentum)
