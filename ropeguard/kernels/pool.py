"""Writing rows into a pool: in place when nobody else holds it, and never anywhere else."""

from functools import cache
from typing import NamedTuple

import mlx.core as mx

from ropeguard.kernels.words import (
    Cotangents,
    Function,
    differentiable,
    no_gradient,
    to_words,
)


_ALL_ONES = 0xFFFF_FFFF
_PAIRWISE_TOKENS = 64


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
