"""Launching the kernel of `metal/` through MLX, which compiles it when it is first run."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import mlx.core as mx

from ropeguard._folders import folder
from ropeguard.kernels.angles import step_array
from ropeguard.kernels.choosing import CUDA, METAL


Pair = tuple[mx.array, mx.array]

_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_THREADS = 256
_WIDE_LOAD = 16
# More heads a thread save sines, and fewer hide more latency; measured on an H200.
HEADS = 2
_MOST_THREADS = 2**32 - _THREADS


def source(backend: str) -> tuple[str, str]:
    """Return what stands before the kernel and its body.

    Args:
        backend: `metal` or `cuda`.
    """
    # MLX goes through the text at every call, so that it pays to leave the comments out.
    parts = [
        _COMMENT.sub("", Path(folder("metal"), name).read_text(encoding="utf-8"))
        for name in (f"prelude_{backend}.h", "rotation.h", "kernel.h")
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
    kernel, steps, settings = _prepared(backend, q.shape, k.shape[1], q.dtype, rope_base, inverse)
    q_rot, k_rot = kernel(inputs=[q, k, positions, steps], **settings, **options)
    return q_rot, k_rot


def fits(q: mx.array, k: mx.array) -> bool:
    """Say whether the kernel can number the threads of a call: 32 bits have to do.

    Args:
        q: Queries.
        k: Keys.
    """
    # No call has more threads than elements.
    if q.size + k.size <= _MOST_THREADS:
        return True
    return threads(q.shape, k.shape[1], pack_of(q.shape[-1], q.dtype.size)) <= _MOST_THREADS


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


def threads(shape: tuple[int, ...], k_heads: int, pack: int) -> int:
    """Return how many threads a call has.

    Args:
        shape: The shape of the queries.
        k_heads: How many key heads there are.
        pack: How many pairs a thread takes.
    """
    tokens, q_heads, head_dim = shape
    return tokens * (head_dim // 2 // pack) * -(-(q_heads + k_heads) // HEADS)


@lru_cache(maxsize=1024)
def _prepared(
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
    settings = {
        "template": [
            ("T", dtype),
            ("DIM", head_dim),
            ("Q_HEADS", q_heads),
            ("K_HEADS", k_heads),
            ("PACK", pack),
            ("HEADS", HEADS),
            ("INVERSE", inverse),
        ],
        "grid": (threads(shape, k_heads, pack), 1, 1),
        "threadgroup": (_THREADS, 1, 1),
        "output_shapes": [shape, (tokens, k_heads, head_dim)],
        "output_dtypes": [dtype, dtype],
    }
    return _kernel(backend), step_array(rope_base, head_dim), settings


@cache
def _kernel(backend: str) -> Callable[..., list[mx.array]]:
    make: dict[str, Callable[..., Any]] = {METAL: mx.fast.metal_kernel, CUDA: mx.fast.cuda_kernel}
    header, body = source(backend)
    return make[backend](  # type: ignore[no-any-return]
        name="ropeguard_rotate",
        input_names=["q", "k", "positions", "steps"],
        output_names=["q_out", "k_out"],
        source=body,
        header=header,
    )
