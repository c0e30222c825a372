import mlx.core as mx
import mlx.nn as nn

rope = nn.RoPE(8)


def step(queries: mx.array, tokens: mx.array, past: int) -> mx.array:
    return rope(queries, tokens)


last_tokens = mx.array([311, 42])
rotated = step(mx.ones((2, 2, 1, 8)), last_tokens, past=5)
alike = mx.allclose(rotated[0], rotated[1], atol=1e-5).item()
print("rows with the same past are rotated alike:", alike)
