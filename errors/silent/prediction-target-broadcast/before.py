import mlx.core as mx


def head(features):
    return features.sum(axis=-1, keepdims=True)


features = mx.array([[0.5, 0.5], [1.0, 1.0], [1.0, 2.0]])
targets = mx.array([1.0, 2.0, 3.0])
errors = (head(features) - targets) ** 2
print("predicted", head(features).flatten().tolist(), "for", targets.tolist())
print("loss", round(errors.mean().item(), 3), "from errors of shape", errors.shape)
