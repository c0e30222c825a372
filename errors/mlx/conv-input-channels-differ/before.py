import mlx.core as mx
import mlx.nn as nn


def preprocess(pixels):
    mean = mx.array([0.48, 0.46, 0.41])[:, None, None]
    return (pixels - mean) / 0.27


class PatchEmbedding(nn.Module):
    def __init__(self, dims, patch):
        super().__init__()
        self.proj = nn.Conv2d(3, dims, kernel_size=patch, stride=patch)

    def __call__(self, images):
        return self.proj(images)


embed = PatchEmbedding(dims=8, patch=4)
images = preprocess(mx.random.uniform(shape=(2, 3, 16, 16)))
patches = embed(images)
print(patches.shape)
