import mlx.core as mx
import mlx.nn as nn


class Scorer(nn.Module):
    def __init__(self, query_dims, passage_dims):
        super().__init__()
        self.project = nn.Linear(query_dims, passage_dims)

    def __call__(self, queries, passages):
        return mx.inner(queries, passages)


scorer = Scorer(query_dims=4, passage_dims=8)
scores = scorer(mx.random.normal((3, 4)), mx.random.normal((5, 8)))
print(scores.shape)
