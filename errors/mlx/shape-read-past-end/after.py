import mlx.core as mx


def spectrogram(signal, window=8, hop=4):
    starts = mx.arange(0, signal.shape[0] - window + 1, hop)
    frames = signal[starts[:, None] + mx.arange(window)]
    return mx.abs(mx.fft.rfft(frames, axis=-1))


spectrum = spectrogram(mx.random.normal((68,)))
print(spectrum.shape)
