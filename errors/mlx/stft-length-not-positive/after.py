import mlx.core as mx


def lengths(rate):
    return int(0.025 * rate), int(0.01 * rate)


rate = 16_000
time = mx.arange(800) / 16000
_, hop = lengths(rate)
frames = mx.fft.stft(mx.sin(2754 * time), n_fft=400, hop_length=hop)
print(frames.shape)
