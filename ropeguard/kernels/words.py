"""Arrays seen as 32-bit words, with gradients that pass between words and floats.

MLX scatters words in place with integer arithmetic that no float can have: a NaN keeps its bits,
and `max(x, 0)` leaves `x` as it is. `mx.array.view` has no gradient, so both views bring their
own. A cotangent seen as words must never be added to another. It would be, where `mx.vmap` has to
repeat a view that is not batched for a scatter that is; so a view takes, beside its array, every
array that it will meet, and is batched whenever one of them is.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import cast

import mlx.core as mx


Function = Callable[..., mx.array]
Cotangents = tuple[mx.array, ...]


def differentiable(function: Function, vjp: Callable[..., Cotangents]) -> Function:
    """Give a function a gradient that it keeps under `mx.vmap`, however deeply nested.

    Args:
        function: Takes two arrays or more (of one, MLX makes no tuple) and returns one.
        vjp: Takes the tuple of arguments, the cotangent and the output; returns a cotangent for
            every argument.

    Returns:
        The function, for positional arguments.
    """
    custom = mx.custom_function(function)
    custom.vjp(vjp)

    @custom.vmap
    def batched(
        arrays: Sequence[mx.array], axes: Sequence[int | None]
    ) -> tuple[mx.array, int | None]:
        return differentiable(mx.vmap(function), mx.vmap(vjp))(*stacked(arrays, axes)), 0

    return cast("Function", custom)


@cache
def to_words(dtype: mx.Dtype) -> Function:
    """Return the view of a `dtype` array as uint32, called as `view(array, *companions)`."""
    return _view(mx.uint32, lambda: to_floats(dtype))


@cache
def to_floats(dtype: mx.Dtype) -> Function:
    """Return the view of a uint32 array as `dtype`, called as `view(words, *companions)`."""
    return _view(dtype, lambda: to_words(dtype))


def no_gradient(arrays: Sequence[mx.array]) -> Cotangents:
    """Return zero cotangents for arguments that have no gradient."""
    return tuple(mx.zeros_like(array) for array in arrays)


def _view(dtype: mx.Dtype, inverse: Callable[[], Function]) -> Function:
    def view(array: mx.array, *companions: mx.array) -> mx.array:
        return array.view(dtype)

    def vjp(arguments: Cotangents, cotangent: mx.array, _: mx.array) -> Cotangents:
        companions = arguments[1:]
        return inverse()(cotangent, *companions), *no_gradient(companions)

    return differentiable(view, vjp)


def stacked(arrays: Sequence[mx.array], axes: Sequence[int | None]) -> list[mx.array]:
    """Move every batch axis to the front and repeat the arrays that have none.

    Args:
        arrays: The arguments of a function under `mx.vmap`.
        axes: The batch axis of each, or None.
    """
    batch = next(
        array.shape[axis] for array, axis in zip(arrays, axes, strict=True) if axis is not None
    )
    return [
        mx.broadcast_to(array, (batch, *array.shape))
        if axis is None
        else mx.moveaxis(array, axis, 0)
        for array, axis in zip(arrays, axes, strict=True)
    ]
