import mlx.core as mx
import mlx.nn as nn


MODE = "linear"

shrink = nn.Upsample(scale_factor=0.5, mode=MODE, antialias=True)
thumbnail = shrink(mx.random.uniform(shape=(1, 8, 8, 3)))
print(thumbnail.shape)
