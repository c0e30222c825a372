from types import SimpleNamespace

import mlx.nn as nn
from mlx_lm.lora import CONFIG_DEFAULTS, train_model


class Block(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.proj = nn.Linear(dims, dims)


class Model(nn.Module):
    def __init__(self, dims: int, depth: int) -> None:
        super().__init__()
        self.layers = [Block(dims) for _ in range(depth)]


model = Model(dims=8, depth=2)
settings = {**CONFIG_DEFAULTS, "model": "tiny", "data": "data", "iters": 0}
settings["num_layers"] = -1
train_model(SimpleNamespace(**settings), model, train_set=[], valid_set=[])
print([type(block.proj).__name__ for block in model.layers])
