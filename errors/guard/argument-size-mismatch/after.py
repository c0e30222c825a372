import mlx.core as mx
import mlx.nn as nn
from jaxtyping import Float
from ropeguard import guard


MEL_BINS = 128
stem = nn.Conv1d(128, 16, kernel_size=3, padding=1)


@guard
def encode(mel: Float[mx.array, "batch frames 128"]) -> Float[mx.array, "batch frames dim"]:
    return stem(mel)


filters = mx.random.uniform(shape=(201, MEL_BINS))
spectrum = mx.random.uniform(shape=(1, 30, 201))
features = encode(mx.log10(spectrum @ filters))
print(features.shape)
