import os


os.environ["MLX_METAL_FAST_SYNCH"] = "1"

import mlx.core as mx  # noqa: E402


a, b = mx.random.uniform(shape=(2, 8, 8))
half = mx.matmul(a, b, stream=mx.cpu)
product = mx.matmul(half, b)
mx.eval(product)
print(product.shape)
