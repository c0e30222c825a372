"""Rotating queries and keys, by the kernel where one runs and by plain MLX operations elsewhere."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import mlx.core as mx

from ropeguard.kernels import composed
from ropeguard.kernels.choosing import COMPOSED, current_backend
from ropeguard.kernels.launch import Pair, fits, launch


Rotation = Callable[[mx.array, mx.array, mx.array], Pair]


def rotate(
    q: mx.array,
    k: mx.array,
    positions: mx.array,
    *,
    rope_base: float,
    angle: str,
    differentiable: bool = False,
) -> Pair:
    """Rotate queries and keys by the positions of their tokens.

    Args:
        q: `[tokens, query heads, head_dim]`.
        k: `[tokens, key heads, head_dim]`.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
        angle: `"exact"` or `"f32"`, as `rope_pool_fused` explains them.
        differentiable: Whether gradients have to pass. Plain operations always let them; a kernel
            needs a wrapper, which costs a little and which MLX cannot export.

    Returns:
        `(q_rot, k_rot)`.
    """
    if q.shape[0] == 0:
        return q, k
    if angle == "f32":
        return composed.rotate_as_mlx(q, positions, rope_base), composed.rotate_as_mlx(
            k, positions, rope_base
        )
    backend = current_backend()
    if backend == COMPOSED or not fits(q, k):
        return composed.rotate_pair(q, k, positions, rope_base)
    if differentiable:
        return rotation(backend, float(rope_base), inverse=False)(q, k, positions)
    return launch(q, k, positions, rope_base=rope_base, backend=backend)


@cache
def rotation(backend: str, rope_base: float, *, inverse: bool, run: Any = launch) -> Rotation:
    """Return the kernel as a function with a gradient, which is the rotation back.

    MLX has no `mx.vmap` for kernels, and a wrapper cannot give it one: the kernel stays in the
    graph below the wrapper.

    Args:
        backend: `metal` or `cuda`.
        rope_base: The base of the rotary frequencies.
        inverse: Turn back instead.
        run: What launches the kernel.
    """

    def function(q: mx.array, k: mx.array, positions: mx.array) -> Pair:
        return cast(
            "Pair", run(q, k, positions, rope_base=rope_base, backend=backend, inverse=inverse)
        )

    custom = mx.custom_function(function)

    @custom.vjp
    def vjp(arguments: tuple[mx.array, ...], cotangents: Pair, _: Pair) -> tuple[mx.array, ...]:
        back = rotation(backend, rope_base, inverse=not inverse, run=run)
        positions = arguments[2]
        return *back(*cotangents, positions), mx.zeros_like(positions)

    return cast("Rotation", custom)
