"""Writing rows into a pool that has a spare row, by whatever is cheapest for what is known."""

import mlx.core as mx

from ropeguard.kernels.choosing import CUDA, current_backend
from ropeguard.kernels.slots import Slots


# From here on, fewer and plainer elements outweigh the graph nodes of some views.
_ROWS_FOR_WORDS = 512
# Here 64-bit words are the cheapest on CUDA: measured on an H200 against 32-bit ones.
_ROWS_FOR_LONG_WORDS = range(1024, 12_288)


def write(pool: mx.array, rows: mx.array, slots: Slots) -> mx.array:
    """Return the pool with the rows in it, bit for bit; in place where nobody else holds it.

    Args:
        pool: `[rows + 1, heads, head_dim]`; nothing that lies in the last row is ever read.
        rows: The new rows, one a token, of the pool's dtype.
        slots: Where they go.
    """
    # Another handle of the same array: assigning to the pool's own would change it for holders.
    new = pool[...]
    runs = slots.slices
    if runs is not None:
        for token, row, length in runs:
            part = rows if length == slots.count else rows[token : token + length]
            new[row : row + length] = part
        return new
    if not needs_words(slots):
        new[slots.rows] = rows
        return new
    # Wider words are fewer.
    if _suits_long_words(pool, slots):
        words = mx.put_along_axis(new.view(mx.uint64), slots.column, rows.view(mx.uint64), axis=0)
        return words.view(pool.dtype)
    # Rows of one axis are cheaper to index than rows of two.
    words = new.view(mx.uint32).reshape(new.shape[0], -1)
    words[slots.rows] = rows.view(mx.uint32).reshape(slots.count, -1)
    return words.view(pool.dtype).reshape(pool.shape)


def needs_words(slots: Slots) -> bool:
    """Say whether a write reads the rows as words wider than their elements.

    Args:
        slots: Where they go.
    """
    return slots.count >= _ROWS_FOR_WORDS and slots.slices is None


def _suits_long_words(pool: mx.array, slots: Slots) -> bool:
    """Say whether 64-bit words are to be scattered: MLX refuses that on Metal."""
    fit = pool.shape[2] * pool.dtype.size % 8 == 0
    return fit and slots.count in _ROWS_FOR_LONG_WORDS and current_backend() == CUDA
