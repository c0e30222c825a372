"""The public call: rotate queries and keys, and keep keys and values in the pool."""

from typing import Annotated, Literal

import mlx.core as mx
from jaxtyping import Int32

from ropeguard.contracts import (
    Distinct,
    Finite,
    InRange,
    MultipleOf,
    Positive,
    SameDtype,
    Unique,
)
from ropeguard.guards import guard
from ropeguard.kernels.dtypes import Pooled
from ropeguard.kernels.pool import place, place_rows, put_rows, write_rows
from ropeguard.kernels.rotation import rotate


@guard
def rope_pool_fused(
    q: Pooled[mx.array, "tokens {num_qo_heads} {head_dim}"],
    k: Annotated[Pooled[mx.array, "tokens {num_kv_heads} {head_dim}"], SameDtype("q")],
    v: Annotated[Pooled[mx.array, "tokens {num_kv_heads} {head_dim}"], SameDtype("q")],
    positions: Annotated[Int32[mx.array, " tokens"], InRange(0, None)],
    slots: Annotated[
        Int32[mx.array, " tokens"], InRange(None, "pool"), Unique(ignore_negative=True)
    ],
    k_pool: Annotated[Pooled[mx.array, "pool {num_kv_heads} {head_dim}"], SameDtype("q")],
    v_pool: Annotated[
        Pooled[mx.array, "pool {num_kv_heads} {head_dim}"], SameDtype("q"), Distinct("k_pool")
    ],
    *,
    head_dim: Annotated[int, Positive(), MultipleOf(2)],
    num_qo_heads: Annotated[int, Positive(), MultipleOf("num_kv_heads")],
    num_kv_heads: Annotated[int, Positive()],
    rope_base: Annotated[float | int, Finite(), Positive()],
    angle: Literal["exact", "f32"] = "exact",
    spare_row: Annotated[int | None, InRange(0, "pool")] = None,
) -> tuple[
    Pooled[mx.array, "tokens {num_qo_heads} {head_dim}"],
    Pooled[mx.array, "tokens {num_kv_heads} {head_dim}"],
    Pooled[mx.array, "pool {num_kv_heads} {head_dim}"],
    Pooled[mx.array, "pool {num_kv_heads} {head_dim}"],
]:
    """Apply NeoX RoPE to queries and keys, and write keys and values into the KV pool.

    Shapes and dtypes are those of the annotations: float16, bfloat16 or float32, one of them for
    all five arrays. The call is lazy and pure. A pool that has no other owner is updated in place,
    so rebind the variable (`k_pool = ...`); a pool that is still held elsewhere is copied, and who
    holds it keeps seeing its old rows. It runs inside `mx.compile`, `mx.vmap`, `mx.grad` and
    `mx.checkpoint`; gradients reach `q`, `k`, `v` and both pools. `mx.vmap` on a GPU needs
    `with ropeguard.backend("composed")` around it, as MLX has none for kernels. MLX refuses the
    call, with an error of its own, in `mx.compile(shapeless=True)`, `mx.export_function` and
    forward mode (`mx.jvp`).

    **Slots.** A token with a slot below zero is rotated and not written. A slot past the end of
    the pool is never written either, and is an error at level `values`. If several tokens have
    one slot, the whole row of the last of them is kept, on every backend; that too is an error at
    level `values`, where a repeated slot is most likely a mistake of the allocator.

    Not to write a token, without a row for what is not kept, takes two passes over the rows, and
    the scatter that MLX users write takes one. A pool that has such a row, as servers keep for
    padding, says so by `spare_row`: what is not kept goes there. What that row holds afterwards,
    and its gradient, is undefined.

    **Angles.** `"exact"` computes the phase in 64-bit fixed point: cosines and sines are at most
    5e-7 off at every position below 2**31, where float32 angles are off by 1e-2 at position
    131,072. The rotation is done in float32 and rounded once. Position 0 returns its bits
    unchanged. `"f32"` is `mx.fast.rope` itself, for the bits that a model served by it has seen.

    Name, signature and meaning follow the wrapper of sglang's Metal kernel
    (https://github.com/sgl-project/sglang/pull/22868); `angle` and `spare_row` are added here. What
    differs on purpose: any strides are accepted, slots are bounded, and a pool that is held
    elsewhere is never changed under its holder.

    Args:
        q: Queries.
        k: Keys.
        v: Values.
        positions: The position of every token in its sequence.
        slots: The pool row of every token.
        k_pool: The keys so far.
        v_pool: The values so far; not the same array as `k_pool`.
        head_dim: The size of a head, even: pair `i` is made of elements `i` and
            `i + head_dim / 2`.
        num_qo_heads: How many query heads there are, a multiple of `num_kv_heads`.
        num_kv_heads: How many key and value heads there are.
        rope_base: The base of the rotary frequencies, `theta` in many configurations.
        angle: How angles are computed: `"exact"` or `"f32"`.
        spare_row: A row of both pools whose content does not matter.

    Returns:
        `(q_rot, k_rot, k_pool_new, v_pool_new)`. The rows that `k_pool_new` gained have the bits
        of `k_rot`, those of `v_pool_new` the bits of `v`.

    Raises:
        ContractError: An argument breaks its annotation. It is also a `ValueError` where a shape,
            a dtype or a value is wrong, and a `TypeError` where a type is.
    """
    q_rot, k_rot, v = rotate(
        q,
        k,
        v,
        positions,
        rope_base=rope_base,
        angle=angle,
        differentiable=True,
        pass_values=True,
    )
    size = k_pool.shape[0]
    if slots.shape[0] == 0 or size == 0:
        return q_rot, k_rot, k_pool, v_pool
    if spare_row is not None:
        rows = place_rows(slots, size, spare_row)
        return q_rot, k_rot, put_rows(k_pool, k_rot, rows), put_rows(v_pool, v, rows)
    placement = place(slots, size)
    return (
        q_rot,
        k_rot,
        write_rows(k_pool, k_rot, placement),
        write_rows(v_pool, v, placement),
    )
