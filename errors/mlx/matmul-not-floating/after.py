import mlx.core as mx


def reachable(links):
    steps = links | mx.eye(links.shape[0], dtype=mx.bool_)
    steps = steps.astype(mx.float32)
    return (steps @ steps) > 0


links = mx.array([[False, True, False], [False, False, False], [True, False, False]])
print(reachable(links))
