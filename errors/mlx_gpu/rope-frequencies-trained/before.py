import mlx.core as mx
import mlx.nn as nn


class Scorer(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.project = nn.Linear(dims, dims, bias=False)
        self.freqs = 10000.0 ** (mx.arange(0, dims, 2) / dims)

    def __call__(self, x: mx.array) -> mx.array:
        q = self.project(x)
        settings = {"traditional": False, "base": None, "scale": 1.0, "offset": 0}
        return mx.fast.rope(q, q.shape[-1], freqs=self.freqs, **settings)


scorer = Scorer(8)
step = nn.value_and_grad(scorer, lambda model, x: model(x).sum())
loss, gradients = step(scorer, mx.ones((1, 2, 5, 8)))
mx.eval(loss, gradients)
print(gradients.keys())
