"""Writing rows into a pool that has a spare row, by whatever is cheapest for what is known."""

import mlx.core as mx

from ropeguard.kernels.slots import Slots


# A slice update has to carry this many rows, or all of them, to be cheaper than a scatter.
_ROWS_PER_RUN = 1024
# From here on, fewer and plainer elements outweigh the graph nodes of some views.
_ROWS_FOR_WORDS = 512


def write(pool: mx.array, rows: mx.array, slots: Slots) -> mx.array:
    """Return the pool with the rows in it, bit for bit; in place where nobody else holds it.

    Args:
        pool: `[rows + 1, heads, head_dim]`; nothing that lies in the last row is ever read.
        rows: The new rows, one a token, of the pool's dtype.
        slots: Where they go.
    """
    # Another handle of the same array: assigning to the pool's own would change it for holders.
    new = pool[...]
    if slots.runs is not None and _pays(slots):
        for token, row, length in slots.runs:
            new[row : row + length] = rows[token : token + length]
        return new
    if slots.count < _ROWS_FOR_WORDS:
        new[slots.rows] = rows
        return new
    # Rows of one axis are cheaper to index than rows of two, and 32-bit words are half as many.
    words = new.view(mx.uint32).reshape(new.shape[0], -1)
    words[slots.rows] = rows.view(mx.uint32).reshape(slots.count, -1)
    return words.view(pool.dtype).reshape(pool.shape)


def _pays(slots: Slots) -> bool:
    runs = len(slots.runs or ())
    return runs <= 1 or slots.count >= _ROWS_PER_RUN * runs
