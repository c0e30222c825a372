import mlx.core as mx


def smooth(levels, mode="edge"):
    extended = mx.pad(levels, (1, 1), mode=mode)
    return extended, (extended[:-2] + extended[1:-1] + extended[2:]) / 3


extended, averages = smooth(mx.array([1.0, 2.0, 4.0]))
print(averages)
