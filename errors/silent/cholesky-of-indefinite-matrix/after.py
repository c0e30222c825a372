import mlx.core as mx


def correlation(strength):
    return mx.array([[1.0, strength, strength], [strength, 1.0, -0.4], [strength, -0.4, 1.0]])


covariance = correlation(strength=0.9) + 0.6 * mx.eye(3)
factor = mx.linalg.cholesky(covariance, stream=mx.cpu)
print("finite:", mx.isfinite(factor).all().item())
print("is a factor:", mx.allclose(factor @ factor.T, covariance, atol=1e-3).item())
