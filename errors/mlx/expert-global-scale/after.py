import mlx.core as mx

mx.set_default_device(mx.cpu)
mx.random.seed(3)
weights = mx.random.normal((4, 8, 32))
peaks = mx.abs(weights).max(axis=(1, 2))
packs = [mx.quantize(w, mode="nvfp4", global_scale=peak) for w, peak in zip(weights, peaks)]
packed = mx.stack([pack[0] for pack in packs])
scales = mx.stack([pack[1] for pack in packs])


def experts(x, chosen):
    y = mx.gather_qmm(x, packed, scales, rhs_indices=chosen, mode="nvfp4")
    return y * (peaks[chosen] / 2688)[:, None, None]


x = mx.random.normal((2, 1, 32))
chosen = mx.array([3, 1], mx.uint32)
y = experts(x, chosen)
print(y.shape)
