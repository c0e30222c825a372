"""Rotating queries and keys, by the kernel where one runs and by plain MLX operations elsewhere."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, cast

import mlx.core as mx

from ropeguard.kernels import composed
from ropeguard.kernels.choosing import COMPOSED, current_backend, on_gpu
from ropeguard.kernels.launch import Pair, Triple, fits, launch, launch_and_pass


Rotation = Callable[[mx.array, mx.array, mx.array], Pair]
Passing = Callable[[mx.array, mx.array, mx.array, mx.array], Triple]


class Rotated(NamedTuple):
    """What a rotation returns.

    Attributes:
        q: Rotated queries.
        k: Rotated keys.
        v: The values, bit for bit; from a kernel, in memory of their own.
    """

    q: mx.array
    k: mx.array
    v: mx.array


def rotate(
    q: mx.array,
    k: mx.array,
    v: mx.array,
    positions: mx.array,
    *,
    rope_base: float,
    angle: str,
    differentiable: bool = False,
    pass_values: bool = False,
) -> Rotated:
    """Rotate queries and keys by the positions of their tokens.

    Args:
        q: `[tokens, query heads, head_dim]`.
        k: `[tokens, key heads, head_dim]`.
        v: Values, of the shape of the keys.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
        angle: `"exact"` or `"f32"`, as `rope_pool_fused` explains them.
        differentiable: Whether gradients have to pass. Plain operations always let them; a kernel
            needs a wrapper, which costs a little and which MLX cannot export.
        pass_values: Whether the values will be read as wider words: an array may begin where no
            such word does, so that a kernel passes them on in fresh memory.
    """
    if q.shape[0] == 0:
        return Rotated(q, k, v)
    backend = current_backend()
    if angle == "f32" or backend == COMPOSED or not fits(q, k):
        plain = composed.rotate_as_mlx if angle == "f32" else composed.rotate_exactly
        turned = plain(q, k, positions, rope_base)
        return Rotated(*turned, _fresh(v) if pass_values and on_gpu() else v)
    if pass_values:
        if differentiable:
            return Rotated(*passing(backend, float(rope_base))(q, k, v, positions))
        return Rotated(*launch_and_pass(q, k, v, positions, rope_base=rope_base, backend=backend))
    if differentiable:
        return Rotated(*rotation(backend, float(rope_base), inverse=False)(q, k, positions), v)
    return Rotated(*launch(q, k, positions, rope_base=rope_base, backend=backend), v)


def _fresh(v: mx.array) -> mx.array:
    """Return the same bits in memory of their own."""
    return mx.concatenate([v, mx.zeros((0, *v.shape[1:]), v.dtype)])


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


@cache
def passing(
    backend: str, rope_base: float, *, run: Any = launch_and_pass, run_back: Any = launch
) -> Passing:
    """Return the kernel that passes values on, as a function with a gradient.

    Args:
        backend: `metal` or `cuda`.
        rope_base: The base of the rotary frequencies.
        run: What launches the kernel.
        run_back: What launches the rotation back, which passes nothing on.
    """

    def function(q: mx.array, k: mx.array, v: mx.array, positions: mx.array) -> Triple:
        return cast("Triple", run(q, k, v, positions, rope_base=rope_base, backend=backend))

    custom = mx.custom_function(function)

    @custom.vjp
    def vjp(arguments: tuple[mx.array, ...], cotangents: Triple, _: Triple) -> tuple[mx.array, ...]:
        positions = arguments[3]
        back = rotation(backend, rope_base, inverse=True, run=run_back)(*cotangents[:2], positions)
        return *back, cotangents[2], mx.zeros_like(positions)

    return cast("Passing", custom)
