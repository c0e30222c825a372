import mlx.core as mx


def drop_heads(probability, samples):
    return mx.random.bernoulli(probability, (samples,))


kept = drop_heads(mx.full((2, 3), 0.9), samples=1)
print(kept.shape)
