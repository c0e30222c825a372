import mlx.core as mx
import mlx.nn as nn
from mlx_lm.tuner.utils import linear_to_lora_layers


class Block(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.proj = nn.Linear(dims, dims)


class Model(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.layers = [Block(dims)]


rank, alpha = 8, 16
settings = {"rank": rank, "alpha": alpha, "dropout": 0.0}
model = Model(dims=8)
model.freeze()
linear_to_lora_layers(model, 1, settings)
adapted = model.layers[0].proj
print(adapted(mx.ones((1, 8))).shape)
