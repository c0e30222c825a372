import mlx.core as mx


def blank(hidden, padding):
    hidden[padding] = 0.0
    return hidden


hidden = blank(mx.ones((2, 4, 3)), mx.array([False, False, False, True]))
print(hidden.shape)
