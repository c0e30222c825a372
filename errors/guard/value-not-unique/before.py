from typing import Annotated

import mlx.core as mx
from jaxtyping import Int, Integer
from ropeguard import Unique, guard, level


MASK_ID = 103


@guard
def mask_tokens(
    tokens: Int[mx.array, " length"],
    positions: Annotated[Integer[mx.array, " masked"], Unique()],
) -> Int[mx.array, " length"]:
    masked = mx.array(tokens)
    masked[positions] = MASK_ID
    return masked


tokens = mx.arange(1000, 1016)
key = mx.random.key(0)
positions = mx.random.randint(0, tokens.size, (5,), key=key)
with level("values"):
    print(mask_tokens(tokens, positions).tolist())
