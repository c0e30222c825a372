import mlx.core as mx


def real_tokens_first(tokens, pad=0):
    real = tokens != pad
    order = mx.argsort(~real, axis=-1)
    return mx.take_along_axis(tokens, order, axis=-1)


last = real_tokens_first(mx.array([[0, 1, 2]]))
print(last.tolist())
