import mlx.core as mx
import mlx.nn as nn


class GatedMLP(nn.Module):
    def __init__(self, dims: int, hidden: int):
        super().__init__()
        self.gate_up = nn.Linear(dims, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, dims, bias=False)

    def __call__(self, x):
        fused = self.gate_up(x)
        half = fused.shape[-1] // 2
        return self.down(nn.silu(fused[..., :half]) * fused[..., half:])


mlp = GatedMLP(dims=16, hidden=40)
print(mlp(mx.ones((2, 3, 16))).shape)
