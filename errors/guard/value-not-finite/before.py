from typing import Annotated

import mlx.core as mx
from jaxtyping import Float, Integer
from ropeguard import Finite, guard, level


def mean_pool(hidden, mask):
    kept = (hidden * mask[..., None]).sum(axis=1)
    return kept / mask.sum(axis=1, keepdims=True)


@guard
def rank(
    documents: Annotated[Float[mx.array, "documents dims"], Finite()],
    query: Annotated[Float[mx.array, " dims"], Finite()],
) -> Integer[mx.array, " documents"]:
    return mx.argsort(-(documents @ query))


hidden = mx.ones((3, 4, 8))
lengths = mx.array([4, 2, 0])
documents = mean_pool(hidden, mx.arange(4) < lengths[:, None])
with level("values"):
    print(rank(documents, mx.ones((8,))).tolist())
