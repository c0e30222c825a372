from typing import Annotated

import mlx.core as mx
from jaxtyping import Float
from ropeguard import Finite, guard, level


SETTINGS = {"debug_level": "values", "port": 8080}


@guard
def normalise(
    scores: Annotated[Float[mx.array, "batch classes"], Finite()],
) -> Float[mx.array, "batch classes"]:
    return mx.softmax(scores, axis=-1)


def handle(scores: list[list[float]]) -> list[list[float]]:
    with level(SETTINGS["debug_level"]):
        return normalise(mx.array(scores)).tolist()


print(handle([[0.0, 0.0]]))
