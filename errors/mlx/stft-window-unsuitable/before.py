import mlx.core as mx

RATE = 16_000


def spectrogram(audio, n_fft=400, win_length=512):
    window = mx.hanning(win_length)
    return mx.fft.stft(audio, n_fft, hop_length=160, win_length=win_length, window=window)


time = mx.arange(1000) / RATE
frames = spectrogram(mx.sin(2754 * time))
print(frames.shape)
