import mlx.core as mx
import mlx.nn as nn


def rotate_half(x: mx.array, positions: mx.array) -> mx.array:
    half = x.shape[-1] // 2
    angles = positions[:, None] * 10000.0 ** (-mx.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    turned = [a * mx.cos(angles) - b * mx.sin(angles), b * mx.cos(angles) + a * mx.sin(angles)]
    return mx.concatenate(turned, axis=-1)


rope = nn.RoPE(8)
queries = mx.arange(40, dtype=mx.float32).reshape(1, 1, 5, 8) / 40
got, want = rope(queries), rotate_half(queries, mx.arange(5))
print("as the checkpoint's own code:", mx.allclose(got, want, atol=1e-5).item())
