import mlx.core as mx


def store(weight):
    return mx.to_fp8(weight).view(mx.uint32)


def restore(stored):
    return mx.from_fp8(stored.view(mx.uint8), mx.float32)


weight = mx.random.uniform(0.5, 2.0, (2, 8))
restored = restore(store(weight))
print(restored.shape)
