import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


@guard
def attend(
    q: Float[mx.array, "batch heads queries dims"],
    k: Float[mx.array, "batch heads keys dims"],
    v: Float[mx.array, "batch heads keys dims"],
    mask: Float[mx.array, "queries keys"] = None,
) -> Float[mx.array, "batch heads queries dims"]:
    scale = q.shape[-1] ** -0.5
    return mx.fast.scaled_dot_product_attention(q, k, v, scale=scale, mask=mask)


q = k = v = mx.random.normal((1, 2, 4, 8))
out = attend(q, k, v)
print(out.shape)
