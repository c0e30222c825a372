import mlx.core as mx


def split_heads(x, heads):
    batch, length, dims = x.shape
    return x.reshape(batch, length, heads, dims // heads)


prompt = mx.zeros((1, 0, 16))
heads = split_heads(prompt, heads=2)
print(heads.shape)
