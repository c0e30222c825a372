import mlx.core as mx


def gate(signal):
    spectrum = mx.fft.rfft(signal)
    return spectrum * mx.sigmoid(mx.abs(spectrum))


signal = mx.random.normal((2, 16))
print(gate(signal).shape)
