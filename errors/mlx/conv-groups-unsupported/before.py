import mlx.core as mx


def grouped(video, weight, groups):
    return mx.conv3d(video, weight, groups=groups)


video = mx.random.normal((1, 2, 4, 4, 4))
weight = mx.random.normal((6, 1, 1, 1, 2))
mixed = grouped(video, weight, groups=2)
print(mixed.shape)
