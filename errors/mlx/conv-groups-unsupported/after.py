import mlx.core as mx


def grouped(video, weight, groups):
    pairs = zip(mx.split(video, groups, axis=-1), mx.split(weight, groups), strict=True)
    return mx.concatenate([mx.conv3d(x, kernel) for x, kernel in pairs], axis=-1)


video = mx.random.normal((1, 2, 4, 4, 4))
weight = mx.random.normal((6, 1, 1, 1, 2))
mixed = grouped(video, weight, groups=2)
print(mixed.shape)
