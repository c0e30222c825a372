from typing import Annotated

import mlx.core as mx
from jaxtyping import Float
from ropeguard import SameDtype, guard


@guard
def append(
    cache: Float[mx.array, "heads capacity dim"],
    keys: Annotated[Float[mx.array, "heads new dim"], SameDtype("cache")],
    offset: int,
) -> Float[mx.array, "heads capacity dim"]:
    cache[:, offset : offset + keys.shape[1]] = keys
    return cache


keys = mx.random.normal((2, 3, 8)).astype(mx.bfloat16)
cache = mx.zeros((2, 16, 8))
cache = append(cache, keys, offset=0)
print(cache.dtype)
