import mlx.core as mx


def roots(x):
    positive = x > 0
    return mx.where(positive, mx.sqrt(mx.where(positive, x, 1.0)), 0.0)


x = mx.array([4.0, 0.0, -1.0])
slopes = mx.grad(lambda x: roots(x).sum())(x)
print("values", roots(x).tolist())
print("slopes", slopes.tolist())
