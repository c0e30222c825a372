import mlx.core as mx
import mlx.nn as nn


class Retriever(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.project = nn.Linear(dims, dims, bias=False)

    def __call__(self, queries, passages):
        queries, passages = self.project(queries), self.project(passages)
        return queries @ passages


retriever = Retriever(16)
questions = mx.random.normal((3, 2, 16))
answers = mx.random.normal((3, 5, 16))
scores = retriever(questions, answers)
print(scores.shape)
