import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


@guard
def extend(
    past: Float[mx.array, "heads past dim"] | None, new: Float[mx.array, "heads tokens dim"]
) -> Float[mx.array, "heads past+tokens dim"]:
    return new if past is None else mx.concatenate([past, new], axis=1)


keys = mx.zeros((2, 0, 8))
for tokens in (4, 1, 1):
    keys = extend(keys, mx.random.normal((2, tokens, 8)))
