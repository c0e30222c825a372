import mlx.core as mx
import mlx.nn as nn


def downsampling(levels, factor=2):
    stride = max(1, factor // levels)
    return nn.Conv2d(3, 4, kernel_size=3, stride=stride)


down = downsampling(levels=4)
print(down(mx.zeros((1, 8, 8, 3))).shape)
