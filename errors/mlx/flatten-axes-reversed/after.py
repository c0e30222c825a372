import mlx.core as mx
import mlx.nn as nn


encoder = nn.Conv2d(3, 4, kernel_size=4)


def encode(images):
    features = encoder(images).squeeze((1, 2))
    return features.flatten(1)


codes = encode(mx.random.normal((1, 4, 4, 3)))
print(codes.shape)
