import mlx.core as mx


NORM = "orthonormal"


def spectral_energy(frame):
    return mx.sum(mx.abs(mx.fft.fft(frame, norm=NORM)) ** 2)


frame = mx.random.normal((16,))
energy = spectral_energy(frame)
print(energy)
