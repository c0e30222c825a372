import mlx.core as mx
import mlx.nn as nn


norm = nn.GroupNorm(2, 8)
image = mx.arange(32).reshape(1, 2, 2, 8) ** 2 / 100
normed = norm(image)
means = mx.abs(normed.reshape(4, 2, 4).mean(axis=(0, 2)))
print("mean of channels 0-3 and 4-7 is zero:", (means < 1e-5).tolist())
