import mlx.core as mx


def draw(mean, variances, count):
    covariance = mx.diag(variances)
    return mx.random.multivariate_normal(mean, covariance, (count,), stream=mx.cpu)


samples = draw(mx.zeros((3,)), mx.array([1.0, 0.5, 0.25]), count=64)
print(samples.shape)
