import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


@guard
def modulate(
    x: Float[mx.array, "batch tokens dim"],
    scale: Float[mx.array, "#batch #tokens dim"],
    shift: Float[mx.array, "#batch #tokens dim"],
) -> Float[mx.array, "batch tokens dim"]:
    return x * (1 + scale) + shift


latents = mx.random.normal((2, 6, 8))
prompts = mx.random.normal((2, 1, 16))
conditioning = mx.concatenate([prompts, mx.zeros_like(prompts)])
scale, shift = mx.split(conditioning, 2, axis=-1)
output = modulate(mx.concatenate([latents, latents]), scale, shift)
print(output.shape)
