"""Telling when a write copied a pool, and why."""

from typing import NamedTuple

import mlx.core as mx

from ropeguard.kernels.slots import Slots
from ropeguard.kernels.writes import write


HANDLE = "somebody holds a handle of the array"
OTHER = "a view of the array is held, a graph that is not evaluated yet needs it, or it is in use"


class Copy(NamedTuple):
    """A write that copied an array.

    Attributes:
        layer: Which layer.
        array: `"keys"` or `"values"`.
        bytes: How large the array is.
        why: What is known of the reason.
    """

    layer: int
    array: str
    bytes: int
    why: str


class Probe:
    """Writes one array at a time and watches MLX's memory.

    Attributes:
        copies: What was copied.
    """

    def __init__(self) -> None:
        self.copies: list[Copy] = []

    def write(
        self,
        arrays: list[mx.array],
        layer: int,
        rows: mx.array,
        slots: Slots,
        *,
        name: str,
        held: int,
    ) -> None:
        """Write rows, and remember whether the array had to be copied.

        Args:
            arrays: One array a layer; the layer's is replaced.
            layer: Which layer.
            rows: The new rows.
            slots: Where they go.
            name: What the array is called.
            held: How many handles others hold.
        """
        mx.eval(arrays[layer], rows, slots.rows)
        mx.synchronize()
        size, before = arrays[layer].nbytes, mx.get_active_memory()
        mx.reset_peak_memory()
        arrays[layer] = write(arrays[layer], rows, slots)
        mx.eval(arrays[layer])
        mx.synchronize()
        if mx.get_peak_memory() - before >= size:
            self.copies.append(Copy(layer, name, size, HANDLE if held else OTHER))
