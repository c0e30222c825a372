import mlx.core as mx


def split_heads(x, heads):
    batch, length = x.shape[:2]
    return x.reshape(batch, length, heads, -1)


prompt = mx.zeros((1, 0, 16))
heads = split_heads(prompt, heads=2)
print(heads.shape)
