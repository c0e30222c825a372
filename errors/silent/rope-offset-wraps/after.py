import mlx.core as mx
import mlx.nn as nn

rope = nn.RoPE(8)
queries = mx.ones((2, 2, 1, 8))
padded = mx.array([[1, 1, 1, 0], [0, 0, 0, 0]])

lengths = mx.argmin(padded, axis=1)
starts = mx.maximum(lengths.astype(mx.int32) - 1, 0)
rotated = rope(queries, offset=starts)

print("starts:", starts.tolist())
print("the empty row is at place 0:", mx.allclose(rotated[1], queries[1], atol=1e-5).item())
