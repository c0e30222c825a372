from typing import Annotated

import mlx.core as mx
from jaxtyping import Float, Shaped
from ropeguard import MultipleOf, guard


@guard
def quantise_rows(
    rows: Float[mx.array, "heads length {head_dim}"],
    head_dim: Annotated[int, MultipleOf("group_size")],
    group_size: int,
) -> list[Shaped[mx.array, "heads length _"]]:
    return list(mx.quantize(rows, group_size=group_size, bits=4))


config = {"head_dim": 96, "kv_group_size": 64}
keys = mx.random.normal((4, 16, config["head_dim"]))
packed, scales, biases = quantise_rows(keys, config["head_dim"], config["kv_group_size"])
print(packed.shape, scales.shape)
