import mlx.core as mx
import mlx.nn as nn

rope = nn.RoPE(8)


def rotate(queries: mx.array, position_ids: mx.array) -> mx.array:
    return rope(queries, offset=position_ids[0])


rows, tokens = 4, 4
rotated = rotate(mx.ones((rows, 2, tokens, 8)), mx.arange(tokens))
alike = mx.allclose(rotated[0], rotated[3], atol=1e-5).item()
print("equal rows are rotated alike:", alike)
