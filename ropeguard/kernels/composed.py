"""The rotation in plain MLX operations: the CPU backend and the reference."""

import mlx.core as mx

from ropeguard.kernels.angles import cos_sin, phases


def rotate_exactly(
    q: mx.array, k: mx.array, positions: mx.array, rope_base: float
) -> tuple[mx.array, mx.array]:
    """Rotate queries and keys by exact angles.

    Args:
        q: `[tokens, query heads, head_dim]`.
        k: `[tokens, key heads, head_dim]`.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
    """
    phase = phases(positions, rope_base, q.shape[-1])[:, None, :]
    cos, sin = cos_sin(phase)
    still = phase == 0
    return _rotate(q, cos, sin, still), _rotate(k, cos, sin, still)


def _rotate(x: mx.array, cos: mx.array, sin: mx.array, still: mx.array) -> mx.array:
    """Turn every pair of a head, in float32 and with one rounding to the dtype of `x`.

    Pair `i` is made of elements `i` and `i + head_dim / 2` (the NeoX layout).
    """
    first, second = mx.split(x, 2, axis=-1)
    a, b = first.astype(mx.float32), second.astype(mx.float32)
    # A pair that does not turn keeps its bits: arithmetic would lose -0.0, and infinity times the
    # sine of 0 is NaN. It is chosen half by half, in the dtype of `x`: a CPU reads less.
    return mx.concatenate(
        [
            mx.where(still, first, (a * cos - b * sin).astype(x.dtype)),
            mx.where(still, second, (b * cos + a * sin).astype(x.dtype)),
        ],
        axis=-1,
    )


def rotate_as_mlx(
    q: mx.array, k: mx.array, positions: mx.array, rope_base: float
) -> tuple[mx.array, mx.array]:
    """Rotate queries and keys by `mx.fast.rope`.

    Args:
        q: `[tokens, query heads, head_dim]`.
        k: `[tokens, key heads, head_dim]`.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
    """
    return _rotate_as_mlx(q, positions, rope_base), _rotate_as_mlx(k, positions, rope_base)


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
