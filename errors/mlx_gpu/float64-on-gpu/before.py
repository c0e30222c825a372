import mlx.core as mx


DTYPE = mx.float64


def load_series() -> mx.array:
    return mx.array([1.5, 2.5, 4.0, 8.0], dtype=DTYPE)


series = load_series()
centred = series - series.mean()
mx.eval(centred)
print(centred.dtype)
