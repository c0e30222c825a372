"""RoPE and the pool write in plain MLX operations: the CPU backend and the reference."""

import mlx.core as mx

from ropeguard.kernels.angles import cos_sin, phases
from ropeguard.kernels.pool import place, write_rows


def rope_pool(
    q: mx.array,
    k: mx.array,
    v: mx.array,
    positions: mx.array,
    slots: mx.array,
    k_pool: mx.array,
    v_pool: mx.array,
    *,
    rope_base: float,
    angle: str,
) -> tuple[mx.array, mx.array, mx.array, mx.array]:
    """Rotate queries and keys, and write keys and values into their pools.

    Takes arguments that are already known to fit together. Nothing is evaluated.

    Args:
        q: Queries, `[tokens, query heads, head_dim]`.
        k: Keys, `[tokens, key heads, head_dim]`.
        v: Values, as `k`.
        positions: int32, one a token.
        slots: int32, one a token.
        k_pool: Keys so far, `[pool, key heads, head_dim]`.
        v_pool: Values so far, as `k_pool`.
        rope_base: The base of the rotary frequencies.
        angle: `"exact"` or `"f32"`, as `rope_pool_fused` explains them.

    Returns:
        Rotated queries, rotated keys, and both pools with the new rows.
    """
    if q.shape[0] == 0:
        return q, k, k_pool, v_pool
    if angle == "f32":
        q_rot, k_rot = (_rotate_as_mlx(x, positions, rope_base) for x in (q, k))
    else:
        phase = phases(positions, rope_base, q.shape[-1])[:, None, :]
        q_rot, k_rot = rotate(q, phase), rotate(k, phase)
    if k_pool.shape[0] == 0:
        return q_rot, k_rot, k_pool, v_pool
    placement = place(slots, k_pool.shape[0])
    return (
        q_rot,
        k_rot,
        write_rows(k_pool, k_rot, placement),
        write_rows(v_pool, v, placement),
    )


def rotate(x: mx.array, phase: mx.array) -> mx.array:
    """Turn every pair of a head, in float32 and with one rounding to the dtype of `x`.

    Pair `i` is made of elements `i` and `i + head_dim / 2` (the NeoX layout).

    Args:
        x: `[tokens, heads, head_dim]`.
        phase: Phases from `phases`, `[tokens, 1, head_dim / 2]`.
    """
    cos, sin = cos_sin(phase)
    first, second = mx.split(x.astype(mx.float32), 2, axis=-1)
    turned = mx.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)
    # A pair that does not turn keeps its bits: arithmetic would lose -0.0, and infinity times the
    # sine of 0 is NaN.
    still = mx.concatenate([phase, phase], axis=-1) == 0
    return mx.where(still, x, turned.astype(x.dtype))


def _rotate_as_mlx(x: mx.array, positions: mx.array, rope_base: float) -> mx.array:
    # Tokens become the batch axis, the only one that may have an offset each.
    one_token_each = x[:, :, None, :]
    rotated = mx.fast.rope(
        one_token_each,
        x.shape[-1],
        traditional=False,
        base=rope_base,
        scale=1.0,
        offset=positions,
    )
    return rotated[:, :, 0, :]
