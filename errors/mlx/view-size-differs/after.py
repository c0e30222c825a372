import mlx.core as mx


def as_words(rows):
    return rows.view(mx.uint32)


packed = mx.array([[1, 2, 3, 4], [5, 5, 6, 0]], dtype=mx.uint8)
words = as_words(packed)
print(words.tolist())
