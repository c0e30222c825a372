import mlx.core as mx

PAD = 0


def collate(rows, length):
    rows = [row[:length] for row in rows]
    return mx.stack([mx.array(row) for row in rows])


dataset = [[5, 1, 9, 4, 6, 3, 3], [8, 2], [7, 3, 6]]
batch = collate(dataset, length=5)
print(batch.shape)
