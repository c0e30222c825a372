import mlx.core as mx


class Cache:
    def __init__(self, lengths):
        self.offset = mx.array(lengths)

    def advance(self, steps):
        self.offset = self.offset + steps


cache = Cache([3, 4])
start = cache.offset
cache.advance(2)
added = cache.offset - start
print("tokens added to each row", added.tolist())
