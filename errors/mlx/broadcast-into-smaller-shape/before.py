import mlx.core as mx


class KVCache:
    def __init__(self, batch, heads, capacity, dim):
        self.keys = mx.zeros((batch, heads, capacity, dim))
        self.offset = 0

    def update(self, keys):
        end = self.offset + keys.shape[2]
        self.keys[..., self.offset : end, :] = keys
        self.offset = end
        return self.keys[..., :end, :]


chunk = mx.random.normal((2, 4, 3, 8))
cache = KVCache(1, 4, 16, 8)
keys = cache.update(chunk)
print(keys.shape)
