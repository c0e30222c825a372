import mlx.core as mx
from jaxtyping import Float, UInt32
from ropeguard import guard


@guard
def route(
    gates: Float[mx.array, "tokens experts"], top_k: int
) -> tuple[UInt32[mx.array, "tokens chosen=2"], Float[mx.array, "tokens chosen=2"]]:
    kth = top_k - 1
    experts = mx.argpartition(-gates, kth=kth, axis=-1)[:, :top_k]
    scores = mx.softmax(mx.take_along_axis(gates, experts, axis=-1), axis=-1)
    return experts, scores


gates = mx.random.normal((5, 8))
experts, scores = route(gates, top_k=2)
outputs = mx.random.normal((5, 8, 4))
chosen = mx.take_along_axis(outputs, experts[:, :, None], axis=1)
mixed = (chosen * scores[:, :, None]).sum(axis=1)
