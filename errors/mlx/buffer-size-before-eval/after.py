import mlx.core as mx


def new_cache(batch, heads, length, dims):
    cache = {name: mx.zeros((batch, heads, length, dims), mx.float16) for name in ("k", "v")}
    mx.eval(cache)
    return cache


cache = new_cache(1, 2, 16, 8)
size = mx.get_array_buffer_size(cache)
print(size >= 2 * 1 * 2 * 16 * 8 * 2)
