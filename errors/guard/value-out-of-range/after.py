from typing import Annotated

import mlx.core as mx
from jaxtyping import Float, Int
from ropeguard import InRange, guard, level


WORDS = ["<pad>", "<bos>", "the", "cat", "sat"]
ADDED = ["<tool>"]


@guard
def embed(
    table: Float[mx.array, "vocab dims"],
    tokens: Annotated[Int[mx.array, "batch length"], InRange(0, "vocab")],
) -> Float[mx.array, "batch length dims"]:
    return table[tokens]


ids = {word: number for number, word in enumerate(WORDS + ADDED)}
table = mx.random.normal((len(WORDS + ADDED), 8))
tokens = mx.array([[ids[word] for word in ("<bos>", "the", "cat", "<tool>")]])
with level("values"):
    print(embed(table, tokens).shape)
