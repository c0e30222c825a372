import mlx.core as mx
import mlx.nn as nn


class Router(nn.Module):
    def __init__(self, dims, experts, active):
        super().__init__()
        self.gate = nn.Linear(dims, experts, bias=False)
        self.active = min(active, experts)

    def __call__(self, x):
        return mx.topk(self.gate(x), self.active)


router = Router(dims=4, experts=2, active=8)
print(router(mx.ones((5, 4))).shape)
