import mlx.core as mx


def read_page(cache, page, size=2):
    start = page * size
    return mx.slice(cache, start, axes=(0, 1), slice_size=(size, cache.shape[1]))


cache = mx.arange(1.0, 9.0).reshape(4, 2)
window = read_page(cache, mx.array(1))
print(window.tolist())
