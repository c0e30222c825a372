import mlx.core as mx


MEAN = [0.48, 0.46, 0.41]
STD = [0.23, 0.22, 0.23]


def preprocess(images):
    return (images - MEAN) / STD


normalised = preprocess(mx.full((2, 4, 4, 3), 0.5))
print(normalised.shape)
