import mlx.core as mx


def corrections(hessians, gradients):
    return mx.linalg.solve(hessians, gradients, stream=mx.cpu)


hessians = mx.broadcast_to(2 * mx.eye(3), (5, 3, 3))
offsets = corrections(hessians, mx.ones((5, 3)))
print(offsets.shape)
