import mlx.nn as nn
from mlx_lm.tuner.utils import linear_to_lora_layers


class Block(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(dims)
        self.proj = nn.Linear(dims, dims)


class Model(nn.Module):
    def __init__(self, dims: int, depth: int) -> None:
        super().__init__()
        self.layers = [Block(dims) for _ in range(depth)]


settings = {
    "rank": 4,
    "scale": 10.0,
    "dropout": 0.0,
    "keys": ["proj"],
}
model = Model(dims=8, depth=2)
model.freeze()
linear_to_lora_layers(model, 2, settings)
print(type(model.layers[0].proj).__name__)
