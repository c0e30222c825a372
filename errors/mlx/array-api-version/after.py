import mlx.core as mx


def centre(x):
    xp = x.__array_namespace__()
    return xp, x - xp.mean(x)


xp, centred = centre(mx.array([1.0, 2.0, 3.0]))
print(centred)
