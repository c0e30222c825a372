import mlx.core as mx


class PromptCache:
    def __init__(self, keys, values):
        self.keys = keys
        self.values = values

    def rows(self, batch):
        return [mx.repeat(x, batch, axis=0) for x in (self.keys, self.values)]


cache = PromptCache(mx.random.normal((1, 2, 6, 8)), mx.random.normal((1, 2, 6, 8)))
queries = mx.random.normal((3, 4, 1, 8))
keys, values = cache.rows(queries.shape[0])
answers = mx.fast.scaled_dot_product_attention(queries, keys, values, scale=8**-0.5)
print(answers.shape)
