"""Rows that wait to be written, merged where the host knows their slots."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import mlx.core as mx

from ropeguard.kernels.slots import Slots


class Waiting(NamedTuple):
    """The rows of one call.

    Attributes:
        k: Rotated keys.
        v: Values.
        slots: Where they go.
    """

    k: mx.array
    v: mx.array
    slots: Slots


class Deferred:
    """Rows of every layer, oldest first."""

    def __init__(self, layers: int) -> None:
        self._layers: list[list[Waiting]] = [[] for _ in range(layers)]

    def add(self, layer: int, waiting: Waiting) -> None:
        """Keep rows aside.

        Args:
            layer: Which layer.
            waiting: The rows.
        """
        self._layers[layer].append(waiting)

    def rows(self, layer: int) -> tuple[mx.array, mx.array] | None:
        """Return the keys and the values that wait, or None if there are none.

        Args:
            layer: Which layer.
        """
        waiting = self._layers[layer]
        return _rows(waiting) if waiting else None

    def take(self) -> Iterator[tuple[int, Waiting]]:
        """Hand the rows out, layer by layer, and forget them."""
        merged: dict[tuple[int, ...], Slots | None] = {}
        for layer, waiting in enumerate(self._layers):
            parts = [part.slots for part in waiting]
            key = tuple(map(id, parts))
            if len(parts) > 1 and key not in merged:
                merged[key] = Slots.joined(parts)
            slots = merged.get(key)
            self._layers[layer] = []
            for part in waiting if slots is None else [Waiting(*_rows(waiting), slots)]:
                yield layer, part


def _rows(waiting: Sequence[Waiting]) -> tuple[mx.array, mx.array]:
    return (
        mx.concatenate([part.k for part in waiting]),
        mx.concatenate([part.v for part in waiting]),
    )
