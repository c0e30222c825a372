import mlx.core as mx


DEVICE = mx.cpu


def nearest_rotation(matrix: mx.array) -> mx.array:
    """Return the orthogonal matrix that is nearest to a drifted one."""
    u, _, vt = mx.linalg.svd(matrix, stream=DEVICE)
    return mx.matmul(u, vt, stream=mx.cpu)


drifted = mx.eye(6) + 0.01 * mx.random.normal((6, 6))
rotation = nearest_rotation(drifted)
print(rotation.shape)
