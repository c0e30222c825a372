from typing import Literal

import mlx.core as mx
from jaxtyping import Bool
from ropeguard import guard


@guard
def attention_mask(
    queries: int, keys: int, kind: str
) -> Bool[mx.array, "queries keys"] | Literal["causal"] | None:
    if queries == 1 or kind == "full":
        return None
    if kind == "sliding":
        distance = mx.arange(keys - queries, keys)[:, None] - mx.arange(keys)
        return (distance >= 0) & (distance < 4)
    return "causal"


q = mx.random.normal((1, 2, 3, 8))
k = mx.random.normal((1, 2, 6, 8))
mask = attention_mask(3, 6, kind="default")
out = mx.fast.scaled_dot_product_attention(q, k, k, scale=8**-0.5, mask=mask)
