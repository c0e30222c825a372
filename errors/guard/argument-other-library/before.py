import mlx.core as mx
import numpy as np
from jaxtyping import Float, UInt32
from ropeguard import guard


@guard
def nearest(
    query: Float[mx.array, " dim"], corpus: Float[mx.array, "documents dim"]
) -> UInt32[mx.array, ""]:
    return mx.argmax(corpus @ query)


vectors = np.random.default_rng(0).standard_normal((5, 8))
query = mx.random.normal((8,))
best = nearest(query, vectors)
print(best.shape)
