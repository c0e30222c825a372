import mlx.core as mx


def blank(hidden, padding):
    return mx.where(padding[:, None], 0.0, hidden)


hidden = blank(mx.ones((2, 4, 3)), mx.array([False, False, False, True]))
print(hidden.shape)
