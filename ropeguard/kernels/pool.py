"""Writing rows into a pool: in place when nobody else holds it, and never anywhere else."""

from functools import cache
from typing import NamedTuple

import mlx.core as mx

from ropeguard.kernels.choosing import COMPOSED, current_backend
from ropeguard.kernels.launch import launch_place
from ropeguard.kernels.words import (
    Cotangents,
    Function,
    differentiable,
    no_gradient,
    to_words,
)


_ALL_ONES = 0xFFFF_FFFF
_PAIRWISE_TOKENS = 64
# A thread of the kernel looks at all later tokens.
_KERNEL_TOKENS = 4096
# From here on, fewer elements outweigh the wrappers that views need for their gradients.
_WORDS_TOKENS = 8192


class Placement(NamedTuple):
    """Where the rows of a call go.

    Attributes:
        rows: For every token a row that exists: its own, or 0 for a token that has none.
        winners: Which tokens write. No two of them have the same row.
    """

    rows: mx.array
    winners: mx.array


def place(slots: mx.array, pool_size: int) -> Placement:
    """Decide which tokens write, and where.

    A slot below zero or past the pool writes nothing. Of several tokens with one slot the last
    writes, so that the result depends neither on the backend nor on its order of writes.

    Args:
        slots: int32, one slot a token.
        pool_size: How many rows the pool has, at least 1.
    """
    if _by_kernel(slots):
        rows = launch_place(slots, pool_size, -1, backend=current_backend())
        return Placement(mx.maximum(rows, 0), rows >= 0)
    # Not `&`: with an operand that is not batched, `mx.vmap` of it reads past the operand's end.
    inside = mx.logical_and(slots >= 0, slots < pool_size)
    index = mx.where(inside, slots, 0)
    tokens = slots.shape[0]
    if tokens == 1:
        return Placement(index, inside)
    order = mx.arange(tokens, dtype=mx.int32)
    if tokens <= _PAIRWISE_TOKENS:
        return Placement(index, mx.logical_and(inside, _last_of_slot(slots, order)))
    last = mx.full((pool_size,), -1, dtype=mx.int32).at[index].maximum(mx.where(inside, order, -1))
    return Placement(index, last[index] == order)


def place_rows(slots: mx.array, pool_size: int, spare: int) -> mx.array:
    """Return the row of every token: the same as `place`, and `spare` where nothing is kept.

    Args:
        slots: int32, one slot a token.
        pool_size: How many rows a slot may mean, at least 1.
        spare: A row whose content does not matter.
    """
    if _by_kernel(slots):
        return launch_place(slots, pool_size, spare, backend=current_backend())
    index, winners = place(slots, pool_size)
    return mx.where(winners, index, spare)


def _by_kernel(slots: mx.array) -> bool:
    return 0 < slots.shape[0] <= _KERNEL_TOKENS and current_backend() != COMPOSED


def put_rows(pool: mx.array, rows: mx.array, index: mx.array) -> mx.array:
    """Return the pool with a row for every token in it, bit for bit: one scatter.

    Args:
        pool: `[pool, heads, head_dim]`, of a dtype of 16 or 32 bits; `head_dim` even.
        rows: The rows of the same dtype, `[tokens, heads, head_dim]`.
        index: Where they go, from `place_rows`: no row twice but the spare one.
    """
    if index.shape[0] < _WORDS_TOKENS:
        # Another handle of the same array: assigning to the caller's would change it for holders.
        new = pool[...]
        new[index] = rows
        return new
    # Rows of one axis are cheaper to index than rows of two, and 32-bit words are half as many.
    winners = mx.ones(index.shape, mx.bool_)
    row_words = to_words(pool.dtype)(mx.stop_gradient(rows), index)
    words = to_words(pool.dtype)(pool, rows, index, winners)
    flat = words.reshape(pool.shape[0], -1)
    flat[index] = row_words.reshape(index.shape[0], -1)
    return _written(pool.dtype)(flat.reshape(words.shape), rows, index, winners)


def write_rows(pool: mx.array, rows: mx.array, placement: Placement) -> mx.array:
    """Return the pool with the winners' rows in it, bit for bit.

    Two integer scatters write a row: `max` with all ones erases it, `min` with its words fills it.
    Tokens that do not write take part with `max(x, 0)` and `min(x, all ones)`, which change
    nothing. So the old pool is never read, MLX can hand its buffer on, and no token needs a row of
    its own to be thrown away.

    Args:
        pool: The pool, `[pool, heads, head_dim]`, of a dtype of 16 or 32 bits; `head_dim` even.
        rows: The rows of the same dtype, `[tokens, heads, head_dim]`.
        placement: Where they go, from `place`.
    """
    index, winners = placement
    writes = winners[:, None, None]
    row_words = to_words(pool.dtype)(mx.stop_gradient(rows), winners)
    ones = mx.array(_ALL_ONES, dtype=mx.uint32)
    words = to_words(pool.dtype)(pool, rows, index, winners)
    words = words.at[index].maximum(mx.where(writes, ones, mx.zeros_like(ones)))
    words = words.at[index].minimum(mx.where(writes, row_words, ones))
    return _written(pool.dtype)(words, rows, index, winners)


def _last_of_slot(slots: mx.array, order: mx.array) -> mx.array:
    """Say for every token whether no later one has the same slot."""
    later = order > order[:, None]
    return mx.logical_not(mx.any(mx.logical_and(slots == slots[:, None], later), axis=1))


@cache
def _written(dtype: mx.Dtype) -> Function:
    """Return the view of written words as the pool, with the gradient of the whole write.

    The old pool's gradient is the cotangent with zeros in the written rows; the rows' gradient is
    what those rows had.
    """

    def view(words: mx.array, rows: mx.array, index: mx.array, winners: mx.array) -> mx.array:
        return words.view(dtype)

    def vjp(arguments: Cotangents, cotangent: mx.array, _: mx.array) -> Cotangents:
        _, rows, index, winners = arguments
        untouched = write_rows(cotangent, mx.zeros_like(rows), Placement(index, winners))
        to_rows = mx.where(winners[:, None, None], cotangent[index], mx.zeros_like(rows))
        words = to_words(dtype)(untouched, rows, index, winners)
        return words, to_rows, *no_gradient((index, winners))

    return differentiable(view, vjp)
