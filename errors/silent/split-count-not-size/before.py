import mlx.core as mx


MICRO_BATCH = 2
batch = mx.arange(24).reshape(8, 3)

pieces = mx.split(batch, MICRO_BATCH)
for piece in pieces:
    print("step over", piece.shape[0], "examples")
