import mlx.core as mx


def read_block(start, length=64):
    time = (start + mx.arange(length)) / 8000
    return mx.stack([mx.sin(2754 * time), mx.cos(2754 * time)], axis=-1)


def spectrogram(audio):
    return mx.fft.stft(audio, n_fft=16, hop_length=4, window=mx.hanning(16), center=False)


frames = spectrogram(read_block(start=0).T)
print(frames.shape)
