import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


embedding = nn.Embedding(64, 64).to_quantized()


@guard
def patchify(
    pixels: Float[mx.array, "batch height width 3"],
) -> Float[mx.array, "batch patches 48"]:
    batch, height, width, _ = pixels.shape
    grid = pixels.reshape(batch, height // 4, 4, width // 4, 4, 3)
    return grid.swapaxes(2, 3).reshape(batch, -1, 48)


image = mx.random.uniform(shape=(1, 8, 8, 3))
patches = patchify(image.astype(embedding.weight.dtype))
print(patches.shape, patches.dtype)
