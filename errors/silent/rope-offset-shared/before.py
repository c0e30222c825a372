import mlx.core as mx
import mlx.nn as nn

lengths = [3, 7]
rope = nn.RoPE(8)
queries = mx.ones((2, 2, 1, 8))
rotated = rope(queries, offset=max(lengths))

same = []
for row, length in enumerate(lengths):
    alone = rope(queries[row : row + 1], offset=length)
    same.append(mx.allclose(rotated[row : row + 1], alone, atol=1e-5).item())
print("rows rotated as when they are alone:", same)
