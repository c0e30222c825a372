"""Rows of a pool, prepared once for all layers of a step."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import mlx.core as mx

from ropeguard.kernels.pool import place_rows


# A slice update has to carry this many rows, or all of them, to be cheaper than a scatter.
_ROWS_PER_RUN = 1024


class Run(NamedTuple):
    """Neighbouring tokens that go to neighbouring rows.

    Attributes:
        token: The first token.
        row: Its row.
        length: How many tokens there are.
    """

    token: int
    row: int
    length: int


class Slots:
    """Where the tokens of a call go in a `KVPool`; its methods `allocate` and `slots` make one.

    The same object serves every layer of a step, so that what is needed to write safely is
    computed once. It belongs to pools of one size.

    Attributes:
        count: How many tokens there are.
        pool_rows: How many rows the pool has, without its spare row.
        given: The slots as they were given, int32.
        runs: The tokens that are written, where the host knows them; else None.
    """

    def __init__(
        self, count: int, pool_rows: int, given: mx.array | None, runs: tuple[Run, ...] | None
    ) -> None:
        self.count = count
        self.pool_rows = pool_rows
        self.runs = runs
        self._given = given

    @classmethod
    def of_array(cls, given: mx.array, pool_rows: int) -> "Slots":
        """Return the slots of an array, which is not evaluated."""
        # A copy of the handle: `given[i] = ...` later must not reach this object.
        return cls(given.shape[0], pool_rows, given[...], None)

    @classmethod
    def of_rows(cls, rows: Sequence[int], pool_rows: int) -> "Slots":
        """Return the slots of numbers. A number outside the pool is a token that is not written."""
        last = {row: token for token, row in enumerate(rows) if 0 <= row < pool_rows}
        given = mx.array(list(rows), dtype=mx.int32)
        return cls(len(rows), pool_rows, given, _runs(sorted((t, r) for r, t in last.items())))

    @classmethod
    def joined(cls, parts: Sequence["Slots"]) -> "Slots | None":
        """Return the slots of several calls as one, or None where an array has some of them."""
        if len(parts) == 1:
            return parts[0]
        rows: list[int] = []
        for part in parts:
            if part.runs is None:
                return None
            rows += part._listed()
        return cls.of_rows(rows, parts[0].pool_rows)

    @property
    def given(self) -> mx.array:
        """The slots as they were given."""
        return self.rows if self._given is None else self._given

    @cached_property
    def rows(self) -> mx.array:
        """A row for every token, no row twice but the spare one, where a token is not kept."""
        if self.runs is not None:
            return mx.array(self._listed(), dtype=mx.int32)
        return place_rows(self.given, self.pool_rows, self.pool_rows)

    @cached_property
    def slices(self) -> tuple[Run, ...] | None:
        """The runs, where writing each as a slice is cheaper than a scatter of all."""
        runs = self.runs
        few = runs is not None and (len(runs) <= 1 or self.count >= _ROWS_PER_RUN * len(runs))
        return runs if few else None

    @cached_property
    def column(self) -> mx.array:
        """The rows, before two axes of length 1."""
        return self.rows[:, None, None]

    def _listed(self) -> list[int]:
        rows = [self.pool_rows] * self.count
        for token, row, length in self.runs or ():
            rows[token : token + length] = range(row, row + length)
        return rows


def slot_fault(slots: mx.array, pool_rows: int) -> mx.array:
    """Return the first slot past the end of the pool, without evaluating anything.

    Args:
        slots: int32, one a token. A slot below 0 is no fault: that token is not to be kept.
        pool_rows: How many rows the pool has.

    Returns:
        int32 `[token, slot, pool_rows]`; the token is -1, and the slot too, where there is none.
    """
    if slots.shape[0] == 0:
        return mx.array([-1, -1, pool_rows], dtype=mx.int32)
    outside = slots >= pool_rows
    token = mx.argmax(outside).astype(mx.int32)
    found = mx.stack([token, slots[token]])
    pair = mx.where(outside[token], found, mx.full((2,), -1, dtype=mx.int32))
    return mx.concatenate([pair, mx.array([pool_rows], dtype=mx.int32)])


def _runs(pairs: Sequence[tuple[int, int]]) -> tuple[Run, ...]:
    """Join `(token, row)` pairs, in the order of tokens, where both are neighbours."""
    runs: list[Run] = []
    for token, row in pairs:
        if runs:
            first, start, length = runs[-1]
            if (token, row) == (first + length, start + length):
                runs[-1] = Run(first, start, length + 1)
                continue
        runs.append(Run(token, row, 1))
    return tuple(runs)
