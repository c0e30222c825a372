import mlx.core as mx


SIZE = 1 << 25

signal = mx.cos(mx.arange(SIZE) * 0.1)
spectrum = mx.fft.fft(signal)
mx.eval(spectrum)
print(spectrum.shape)
