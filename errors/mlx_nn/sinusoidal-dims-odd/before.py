import mlx.core as mx
import mlx.nn as nn


FEATURES = 7
WIDTH = FEATURES

project = nn.Linear(FEATURES, WIDTH)
encoding = nn.SinusoidalPositionalEncoding(WIDTH)
readings = mx.random.normal((2, 10, FEATURES))
print((project(readings) + encoding(mx.arange(10))).shape)
