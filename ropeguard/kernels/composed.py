"""The rotation in plain MLX operations: the CPU backend and the reference."""

import mlx.core as mx

from ropeguard.kernels.angles import cos_sin, phases


def rotate_pair(
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
    return rotate(q, phase), rotate(k, phase)


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


def rotate_as_mlx(x: mx.array, positions: mx.array, rope_base: float) -> mx.array:
    """Rotate by `mx.fast.rope`.

    Args:
        x: `[tokens, heads, head_dim]`.
        positions: int32, one a token.
        rope_base: The base of the rotary frequencies.
    """
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
