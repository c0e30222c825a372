import mlx.core as mx


def gated_shape(x, gate):
    return mx.broadcast_shapes(x.shape, gate)


shape = gated_shape(mx.ones((2, 3)), mx.ones((3,)))
print(shape)
