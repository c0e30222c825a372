"""Launching the kernels of `metal/` through MLX, which compiles them when they are first run."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import mlx.core as mx

from ropeguard._folders import folder
from ropeguard.kernels.angles import step_array
from ropeguard.kernels.choosing import CUDA, METAL


Pair = tuple[mx.array, mx.array]
Triple = tuple[mx.array, mx.array, mx.array]


class _Text(NamedTuple):
    """A kernel: its files in `metal/` beside the prelude, and the names of its arguments."""

    header: str
    body: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


ROTATE, PASS, PLACE = "rotate", "rotate_and_pass", "place"
_TEXTS = {
    ROTATE: _Text("rotation.h", "rotate.h", ("q", "k", "positions", "steps"), ("q_out", "k_out")),
    PASS: _Text(
        "rotation.h",
        "rotate_and_pass.h",
        ("q", "k", "v", "positions", "steps"),
        ("q_out", "k_out", "v_out"),
    ),
    PLACE: _Text("placement.h", "place.h", ("slots", "limits"), ("rows",)),
}

_IDLE = re.compile(r"^ *(?://.*)?\n|^ +", re.MULTILINE)
_THREADS = 256
_WIDE_LOAD = 16
# More heads a thread save sines, and fewer hide more latency; measured on an H200.
HEADS = 2
_MOST_THREADS = 2**32 - _THREADS


def source(backend: str, kernel: str = ROTATE) -> tuple[str, str]:
    """Return what stands before a kernel and its body.

    Args:
        backend: `metal` or `cuda`.
        kernel: `rotate`, `rotate_and_pass` or `place`.
    """
    text = _TEXTS[kernel]
    # MLX copies and hashes the text at every call, so that it pays to leave out what is idle.
    parts = [
        _IDLE.sub("", Path(folder("metal"), name).read_text(encoding="utf-8"))
        for name in (f"prelude_{backend}.h", text.header, text.body)
    ]
    return "\n".join(parts[:2]), parts[2]


def launch(
    q: mx.array,
    k: mx.array,
    positions: mx.array,
    *,
    rope_base: float,
    backend: str,
    inverse: bool = False,
    **options: Any,
) -> Pair:
    """Rotate queries and keys in one kernel.

    Args:
        q: `[tokens, query heads, head_dim]`, of any strides.
        k: `[tokens, key heads, head_dim]`.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
        backend: `metal` or `cuda`.
        inverse: Turn back instead.
        options: For MLX: `stream`, `verbose`, `init_value`.

    Returns:
        `(q_rot, k_rot)`, in fresh memory.
    """
    kernel, steps, settings = _prepared(
        ROTATE, backend, q.shape, k.shape[1], q.dtype, rope_base, inverse
    )
    q_rot, k_rot = kernel(inputs=[q, k, positions, steps], **settings, **options)
    return q_rot, k_rot


def launch_and_pass(
    q: mx.array,
    k: mx.array,
    v: mx.array,
    positions: mx.array,
    *,
    rope_base: float,
    backend: str,
    **options: Any,
) -> Triple:
    """Rotate queries and keys, and pass values on, in one kernel.

    Args:
        q: `[tokens, query heads, head_dim]`, of any strides.
        k: `[tokens, key heads, head_dim]`.
        v: As many heads as keys.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
        backend: `metal` or `cuda`.
        options: For MLX: `stream`, `verbose`, `init_value`.

    Returns:
        `(q_rot, k_rot, v)`, in fresh memory, so that wide words of it are aligned.
    """
    kernel, steps, settings = _prepared(
        PASS, backend, q.shape, k.shape[1], q.dtype, rope_base, False
    )
    q_rot, k_rot, v = kernel(inputs=[q, k, v, positions, steps], **settings, **options)
    return q_rot, k_rot, v


def launch_place(
    slots: mx.array, pool_rows: int, spare: int, *, backend: str, **options: Any
) -> mx.array:
    """Return the row of every token: its slot, or `spare` where it is not kept.

    A thread looks at all later tokens: for few of them.

    Args:
        slots: int32, one a token.
        pool_rows: How many rows the pool has.
        spare: What is returned for a slot outside the pool, and for one that a later token has.
        backend: `metal` or `cuda`.
        options: For MLX: `stream`, `verbose`, `init_value`.
    """
    (rows,) = _kernel(backend, PLACE)(
        inputs=[slots, _limits(pool_rows, spare)],
        grid=(slots.shape[0], 1, 1),
        threadgroup=(_THREADS, 1, 1),
        output_shapes=[slots.shape],
        output_dtypes=[mx.int32],
        **options,
    )
    return rows


@lru_cache(maxsize=1024)
def _limits(pool_rows: int, spare: int) -> mx.array:
    return mx.array([pool_rows, spare], dtype=mx.int32)


def fits(q: mx.array, k: mx.array) -> bool:
    """Say whether a kernel can number the threads of a call: 32 bits have to do.

    Args:
        q: Queries.
        k: Keys; values may have as many heads.
    """
    # No call has more threads than elements.
    if q.size + 2 * k.size <= _MOST_THREADS:
        return True
    return threads(q.shape, 2 * k.shape[1], pack_of(q.shape[-1], q.dtype.size)) <= _MOST_THREADS


def pack_of(head_dim: int, size: int) -> int:
    """Return how many pairs a thread takes: as many as one wide load holds, if they divide a head.

    Args:
        head_dim: The size of a head.
        size: The bytes of an element.
    """
    pack = _WIDE_LOAD // size
    while head_dim // 2 % pack:
        pack //= 2
    return pack


def threads(shape: tuple[int, ...], more_heads: int, pack: int) -> int:
    """Return how many threads a call has.

    Args:
        shape: The shape of the queries.
        more_heads: How many heads keys have, and values that are passed on.
        pack: How many pairs a thread takes.
    """
    tokens, q_heads, head_dim = shape
    return tokens * (head_dim // 2 // pack) * -(-(q_heads + more_heads) // HEADS)


@lru_cache(maxsize=1024)
def _prepared(
    name: str,
    backend: str,
    shape: tuple[int, int, int],
    k_heads: int,
    dtype: mx.Dtype,
    rope_base: float,
    inverse: bool,
) -> tuple[Callable[..., list[mx.array]], mx.array, dict[str, Any]]:
    """Return the kernel, the table of its angles and what else MLX has to know of a call."""
    tokens, q_heads, head_dim = shape
    pack = pack_of(head_dim, dtype.size)
    outputs = len(_TEXTS[name].outputs)
    # As text they cost nothing at a call, where MLX would read and write a template's arguments.
    constants = (
        ("DIM", head_dim),
        ("Q_HEADS", q_heads),
        ("K_HEADS", k_heads),
        ("PACK", pack),
        ("HEADS", HEADS),
        ("INVERSE", int(inverse)),
    )
    settings = {
        "grid": (threads(shape, k_heads * (outputs - 1), pack), 1, 1),
        "threadgroup": (_THREADS, 1, 1),
        "output_shapes": [shape, *[(tokens, k_heads, head_dim)] * (outputs - 1)],
        "output_dtypes": [dtype] * outputs,
    }
    return _kernel(backend, name, constants), step_array(rope_base, head_dim), settings


@cache
def _kernel(
    backend: str, name: str, constants: tuple[tuple[str, int], ...] = ()
) -> Callable[..., list[mx.array]]:
    make: dict[str, Callable[..., Any]] = {METAL: mx.fast.metal_kernel, CUDA: mx.fast.cuda_kernel}
    header, body = source(backend, name)
    return make[backend](  # type: ignore[no-any-return]
        name="_".join(["ropeguard", name, *(str(value) for _, value in constants)]),
        input_names=_TEXTS[name].inputs,
        output_names=_TEXTS[name].outputs,
        source="".join(f"constexpr int {key} = {value};\n" for key, value in constants) + body,
        header=header,
    )
