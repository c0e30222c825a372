from dataclasses import dataclass

import mlx.core as mx
from jaxtyping import Bool, Float, Int32
from ropeguard import guard


@guard
@dataclass
class Batch:
    tokens: Int32[mx.array, "batch length"]
    lengths: Int32[mx.array, " batch"]

    def mask(
        self, scores: Float[mx.array, "batch heads queries keys"]
    ) -> Bool[mx.array, "#batch #heads #queries #keys"]:
        keep = mx.arange(scores.shape[-1]) < self.lengths[:, None]
        return keep[:, None, None, :]


batch = Batch(tokens=mx.ones((2, 6), dtype=mx.int32), lengths=mx.array([6, 4]))
scores = mx.random.normal((2, 4, 3, 6))
weights = mx.softmax(mx.where(batch.mask(scores), scores, -mx.inf), axis=-1)
