from collections.abc import Iterator

import mlx.core as mx
from jaxtyping import Float, Int32
from ropeguard import guard


@guard
def greedy(
    bigrams: Float[mx.array, "vocab vocab"], token: Int32[mx.array, ""], count: int
) -> Iterator[Int32[mx.array, ""]]:
    for _ in range(count):
        token = mx.argmax(bigrams[token]).astype(mx.int32)
        yield token


bigrams = mx.random.normal((16, 16))
tokens = mx.stack(list(greedy(bigrams, mx.array(3), count=4)))
steps = tokens[1:] - tokens[:-1]
