import mlx.core as mx


def normalise(audio):
    axes = (-2, -1)
    mean = audio.mean(axis=axes, keepdims=True)
    return (audio - mean) * mx.rsqrt(audio.var(axis=axes, keepdims=True) + 1e-5)


normalised = normalise(mx.random.normal((2, 5, 4)))
print(normalised.shape)
