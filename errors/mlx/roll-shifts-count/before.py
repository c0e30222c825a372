import mlx.core as mx


def shift_windows(image, shift):
    return mx.roll(image, (-shift,), axis=(1, 2))


window = mx.random.normal((1, 8, 8, 3))
shifted = shift_windows(window, 2)
print(shifted.shape)
