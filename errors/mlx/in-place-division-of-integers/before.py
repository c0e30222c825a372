import mlx.core as mx


MEAN = mx.array([0.48, 0.46, 0.41])
STD = mx.array([0.27, 0.26, 0.28])


def preprocess(image):
    height, width, _ = image.shape
    side = min(height, width)
    pixels = image[:side, :side]
    pixels /= 255
    return (pixels - MEAN) / STD


image = mx.full((6, 8, 3), 128, dtype=mx.uint8)
print(preprocess(image).shape)
