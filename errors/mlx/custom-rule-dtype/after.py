import mlx.core as mx


@mx.custom_function
def clipped(x):
    return mx.clip(x, -1, 1)


@clipped.vjp
def clipped_vjp(x, cotangent, output):
    gradient = cotangent.astype(mx.float32) * (mx.abs(x) < 1)
    return gradient.astype(x.dtype)


def loss(weights):
    return clipped(weights.astype(mx.float16)).sum()


gradient = mx.grad(loss)(mx.array([0.5, 3.0, -0.25]))
print(gradient)
