import mlx.core as mx


def frame(signal, margin=2):
    return mx.pad(signal, (margin, margin), mode="reflect")


recording = mx.random.normal((16,))
frames = [frame(recording[start:]) for start in (8, 16)]
print([framed.shape for framed in frames])
