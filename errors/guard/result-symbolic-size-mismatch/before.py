import mlx.core as mx
from jaxtyping import Float, Int32, UInt32
from ropeguard import guard


@guard
def verify(
    target: Float[mx.array, "vocab vocab"],
    context: Int32[mx.array, " context"],
    draft: Int32[mx.array, " draft"],
) -> UInt32[mx.array, " draft+1"]:
    logits = target[mx.concatenate([context, draft])]
    return mx.argmax(logits[-draft.size :], axis=-1)


target = mx.random.normal((16, 16))
draft = mx.array([7, 1, 4])
verified = verify(target, mx.array([3, 9]), draft)
accepted = (verified[: draft.size] == draft).sum()
