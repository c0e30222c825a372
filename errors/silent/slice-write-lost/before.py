import mlx.core as mx


lengths = [2, 3]
batch = mx.ones((2, 4), dtype=mx.int32)
for index, length in enumerate(lengths):
    row = batch[index]
    row[length:] = 0
print(batch.tolist())
