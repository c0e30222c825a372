import mlx.core as mx


def frame(signal, margin=2):
    mode = "reflect" if signal.size else "constant"
    return mx.pad(signal, (margin, margin), mode=mode)


recording = mx.random.normal((16,))
frames = [frame(recording[start:]) for start in (8, 16)]
print([framed.shape for framed in frames])
