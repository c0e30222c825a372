import mlx.core as mx


def cubed(x):
    square = x * x
    return square * x


slope = mx.grad(cubed)(mx.array(2.0))
print("slope of x * x * x at 2:", slope.item())
