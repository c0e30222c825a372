import mlx.core as mx

signal = mx.sin(0.3 * mx.arange(64))
spectrum = mx.fft.stft(signal, n_fft=16, hop_length=8, center=False)


def play(spectrum, at):
    frame = spectrum[:, at]
    return mx.fft.istft(frame, n_fft=16, hop_length=8, center=False)


sound = play(spectrum, at=3)
print(sound.shape)
