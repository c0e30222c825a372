import mlx.core as mx


CODEBOOK = mx.linspace(-1.0, 1.0, 8)


def loss(activations):
    codes = mx.clip(mx.round((activations + 1) * 3.5), 0, 7)
    nearest = CODEBOOK[codes.astype(mx.int32)]
    return mx.mean((activations - nearest) ** 2)


activations = mx.array([0.3, -0.6, 0.9, 0.05])
gradient = mx.grad(loss)(activations)
print(gradient)
