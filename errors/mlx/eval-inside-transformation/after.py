import mlx.core as mx


def normalise(signal):
    peak = mx.abs(signal).max()
    return signal / mx.maximum(peak, 1.0)


recordings = mx.array([[0.5, -0.25, 0.1], [2.0, -4.0, 1.0]])
levels = mx.vmap(normalise)(recordings)
print(mx.abs(levels).max(axis=1))
