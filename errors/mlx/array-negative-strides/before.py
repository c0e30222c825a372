import mlx.core as mx
import numpy as np


def mirror(image):
    return image[:, ::-1]


image = np.arange(6, dtype=np.float32).reshape(2, 3)
mirrored = mx.array(mirror(image))
print(mirrored)
