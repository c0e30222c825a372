import mlx.core as mx


def kernel_spectrum(kernel, height=16, width=30):
    return mx.fft.rfft2(kernel, s=(height, width))


kernel = kernel_spectrum(mx.ones((3, 3)))
print(kernel.shape)
