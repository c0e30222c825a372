import mlx.core as mx


DTYPE = mx.int64


def histogram(tokens: mx.array, vocabulary: int) -> mx.array:
    return mx.zeros((vocabulary,), dtype=DTYPE).at[tokens].add(1)


counts = histogram(mx.array([1, 3, 1]), vocabulary=4)
mx.eval(counts)
print(counts.dtype)
