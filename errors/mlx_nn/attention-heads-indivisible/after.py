import mlx.core as mx
import mlx.nn as nn


HEADS = 6

encoder = nn.TransformerEncoder(num_layers=1, dims=48, num_heads=HEADS, mlp_dims=64)
frames = mx.random.normal((1, 5, 48))
print(encoder(frames, None).shape)
