import mlx.core as mx


def loss(weights, features, targets):
    residuals = features @ weights - targets
    return mx.mean(residuals**2)


weights = mx.zeros((3,))
features = mx.ones((8, 3))
targets = mx.ones((8,))

fit = mx.value_and_grad(loss)
value, gradient = fit(weights=weights, features=features, targets=targets)
print(value, gradient)
