"""The owner of a model's KV pools, which knows their free rows and who else holds an array."""

import contextlib
import sys
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import mlx.core as mx
from jaxtyping import Int32

from ropeguard.catalogue import error
from ropeguard.contracts import Finite, MultipleOf, Positive, SameDtype
from ropeguard.guards import guard
from ropeguard.kernels.deferred import Deferred, Waiting
from ropeguard.kernels.dtypes import Pooled
from ropeguard.kernels.probe import Copy, Probe
from ropeguard.kernels.rotation import rotate
from ropeguard.kernels.rows import FreeRows
from ropeguard.kernels.slots import Slots, slot_fault
from ropeguard.kernels.writes import needs_words, write


_FAULTS_KEPT = 256
_DTYPES = (mx.float16, mx.bfloat16, mx.float32)


class KVPool:
    """Keys and values of all layers, `rows` tokens each, written in place.

    It holds the only reference to its arrays, so that MLX can write into them. A handle or a view
    that somebody keeps makes the next write copy that array; `on_shared` says what else happens
    where it is a handle. Every array has a spare row at its end: what is not kept goes there.

    A pool has state, so it is not for use inside `mx.compile`, `mx.vmap` or `mx.grad`;
    `rope_pool_fused` is.

    Attributes:
        layers: How many layers there are.
        rows: How many slots a layer has.
        kv_heads: How many key and value heads there are.
        head_dim: The size of a head.
        dtype: The dtype of the arrays.
        on_shared: What a write does when somebody holds a handle of the array: `"copy"` it,
            `"warn"` and copy it, or refuse with an `"error"`.
    """

    @guard
    def __init__(
        self,
        layers: Annotated[int, Positive()],
        rows: Annotated[int, Positive()],
        *,
        kv_heads: Annotated[int, Positive()],
        head_dim: Annotated[int, Positive(), MultipleOf(2)],
        dtype: mx.Dtype = mx.bfloat16,
        on_shared: Literal["copy", "warn", "error"] = "copy",
    ) -> None:
        """Allocate the arrays, filled with zeros.

        Args:
            layers: How many layers the model has.
            rows: How many tokens a layer can hold.
            kv_heads: How many key and value heads there are.
            head_dim: The size of a head, even.
            dtype: float16, bfloat16 or float32.
            on_shared: What a write does when somebody holds a handle of the array.
        """
        if dtype not in _DTYPES:
            raise error("pool-dtype-unsupported", dtype=dtype)
        self.layers, self.rows, self.kv_heads = layers, rows, kv_heads
        self.head_dim, self.dtype, self.on_shared = head_dim, dtype, on_shared
        shape = (rows + 1, kv_heads, head_dim)
        self._keys = [mx.zeros(shape, dtype) for _ in range(layers)]
        self._values = [mx.zeros(shape, dtype) for _ in range(layers)]
        mx.eval(self._keys, self._values)
        self._free = FreeRows(rows)
        self._deferred = Deferred(layers)
        self._seen: deque[mx.array] = deque(maxlen=_FAULTS_KEPT)
        self._probe: Probe | None = None

    @property
    def free(self) -> int:
        """How many rows `allocate` can still hand out."""
        return len(self._free)

    @guard
    def allocate(self, tokens: Annotated[int, Positive()]) -> Slots:
        """Take rows for tokens, neighbours where it can be done.

        Args:
            tokens: How many.

        Returns:
            The slots, for `append` at every layer and, later, `release`.
        """
        return Slots.of_rows(self._free.take(tokens), self.rows)

    @guard
    def release(self, slots: Slots) -> None:
        """Give rows back. What they hold stays until they are written again.

        Args:
            slots: What `allocate` returned. Slots of an array are evaluated.
        """
        given: list[int] = slots.given.tolist()  # type: ignore[assignment]
        self._free.give([row for row in given if 0 <= row < self.rows])

    @guard
    def slots(self, rows: Sequence[int] | Int32[mx.array, " tokens"]) -> Slots:
        """Prepare slots that are allotted elsewhere, once for all layers of a step.

        A slot outside the pool is not written, and of several tokens with one slot the last is.

        Args:
            rows: A row for every token. Numbers, where they are known on the host, let runs of
                neighbours be written faster; an array is not evaluated.
        """
        if isinstance(rows, mx.array):
            return Slots.of_array(rows, self.rows)
        return Slots.of_rows(rows, self.rows)

    @guard
    def append(
        self,
        layer: int,
        q: Pooled[mx.array, "tokens q_heads {self.head_dim}"],
        k: Annotated[Pooled[mx.array, "tokens {self.kv_heads} {self.head_dim}"], SameDtype("q")],
        v: Annotated[Pooled[mx.array, "tokens {self.kv_heads} {self.head_dim}"], SameDtype("q")],
        positions: Int32[mx.array, " tokens"],
        slots: Slots,
        *,
        rope_base: Annotated[float | int, Finite(), Positive()],
        angle: Literal["exact", "f32"] = "exact",
        defer: bool = False,
    ) -> tuple[mx.array, mx.array]:
        """Rotate queries and keys, and keep keys and values in a layer's arrays.

        Args:
            layer: Which layer, counted from 0.
            q: Queries; the number of their heads is a multiple of `kv_heads`.
            k: Keys.
            v: Values.
            positions: The position of every token in its sequence.
            slots: Where they go: from `allocate` or `slots` of a pool of this size.
            rope_base: The base of the rotary frequencies.
            angle: As in `rope_pool_fused`.
            defer: Keep the rows aside until `commit`; `pending` has them.

        Returns:
            `(q_rot, k_rot)`, of the shapes and the dtype of `q` and `k`.
        """
        self._check(layer, slots, q.shape[0])
        if k.dtype != self.dtype:
            raise error("pool-dtype-differs", dtype=k.dtype, pool=self.dtype)
        q_rot, k_rot, v = rotate(
            q,
            k,
            v,
            positions,
            rope_base=rope_base,
            angle=angle,
            pass_values=defer or needs_words(slots),
        )
        if slots.runs is None:
            self._see(slots)
        if defer:
            self._deferred.add(layer, Waiting(k_rot, v, slots))
        else:
            self._write(layer, k_rot, v, slots)
        return q_rot, k_rot

    def arrays(self, layer: int) -> tuple[mx.array, mx.array]:
        """Return a layer's keys and values, `[rows + 1, kv_heads, head_dim]`.

        Args:
            layer: Which layer, counted from 0.
        """
        self._check_layer(layer)
        return self._keys[layer], self._values[layer]

    def pending(self, layer: int) -> tuple[mx.array, mx.array]:
        """Return the rows of a layer that `commit` will write, oldest first: keys and values.

        Args:
            layer: Which layer, counted from 0.
        """
        self._check_layer(layer)
        none = mx.zeros((0, self.kv_heads, self.head_dim), self.dtype)
        return self._deferred.rows(layer) or (none, none)

    def commit(self) -> None:
        """Write what was deferred, of all layers, and start to evaluate it.

        Nothing is copied if whoever read the arrays is done: call it when the results of the last
        forward pass were evaluated, after every step or after some.
        """
        for layer, (k, v, slots) in self._deferred.take():
            self._write(layer, k, v, slots)
        mx.async_eval(self._keys, self._values)  # type: ignore[no-untyped-call]

    def fault(self) -> mx.array:
        """Return the first slot past the end among the arrays given since the last call.

        Nothing is evaluated before the result is. The last 256 different arrays are remembered.

        Returns:
            int32 `[token, slot, rows]`; the token and the slot are -1 where there is none.
        """
        seen = mx.concatenate([mx.zeros((0,), dtype=mx.int32), *self._seen])
        self._seen.clear()
        return slot_fault(seen, self.rows)

    @contextlib.contextmanager
    def probe(self) -> Iterator[list[Copy]]:
        """Say, for debugging, which writes in a block copied an array, and why.

        Every write is evaluated at once, and MLX's record of peak memory is started anew.

        Yields:
            A list that gains an entry with every array that is copied.
        """
        self._probe, before = Probe(), self._probe
        try:
            yield self._probe.copies
        finally:
            self._probe = before

    def _write(self, layer: int, k: mx.array, v: mx.array, slots: Slots) -> None:
        for name, arrays, new in (("keys", self._keys, k), ("values", self._values, v)):
            held = 0 if self.on_shared == "copy" and not self._probe else _held(arrays, layer)
            if held and self.on_shared == "error":
                raise error("pool-shared", array=name, layer=layer, holders=held)
            if held and self.on_shared == "warn":
                told = error("pool-shared", array=name, layer=layer, holders=held)
                warnings.warn(str(told), RuntimeWarning, stacklevel=4)
            if self._probe is not None:
                self._probe.write(arrays, layer, new, slots, name=name, held=held)
            else:
                arrays[layer] = write(arrays[layer], new, slots)

    def _see(self, slots: Slots) -> None:
        # All layers of a step have the same.
        if not self._seen or self._seen[-1] is not slots.given:
            self._seen.append(slots.given)

    def _check(self, layer: int, slots: Slots, tokens: int) -> None:
        self._check_layer(layer)
        if slots.count != tokens or slots.pool_rows != self.rows:
            raise error(
                "slots-mismatch",
                slots=slots.count,
                slots_rows=slots.pool_rows,
                tokens=tokens,
                rows=self.rows,
            )

    def _check_layer(self, layer: int) -> None:
        if not 0 <= layer < self.layers:
            raise error("pool-layer-unknown", layer=layer, layers=self.layers)


def _held(arrays: list[mx.array], layer: int) -> int:
    """Return how many references to an array there are beside the list's own."""
    return sys.getrefcount(arrays[layer]) - sys.getrefcount(_ALONE[0])


_ALONE = [object()]
