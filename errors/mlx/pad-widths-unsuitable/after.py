import mlx.core as mx


def batch(images):
    height = max(image.shape[0] for image in images)
    width = max(image.shape[1] for image in images)
    rooms = [(height - image.shape[0], width - image.shape[1]) for image in images]
    padded = [mx.pad(x, [(0, down), (0, right), (0, 0)]) for x, (down, right) in zip(images, rooms)]
    return mx.stack(padded)


print(batch([mx.zeros((3, 4, 3)), mx.zeros((1, 4, 3))]).shape)
