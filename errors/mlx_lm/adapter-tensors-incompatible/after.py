import json
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
from mlx_lm.tuner.utils import load_adapters

RANK = 4


class Block(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.proj = nn.Linear(dims, dims)


class Model(nn.Module):
    def __init__(self, dims: int) -> None:
        super().__init__()
        self.layers = [Block(dims)]


folder = Path("adapters")
folder.mkdir(exist_ok=True)
trained = {"layers.0.proj.lora_a": mx.ones((8, 4))}
mx.save_safetensors("adapters/adapters.safetensors", trained)
settings = {"rank": RANK, "scale": 10.0, "dropout": 0.0}
config = {"num_layers": 1, "lora_parameters": settings}
(folder / "adapter_config.json").write_text(json.dumps(config))

model = load_adapters(Model(dims=8), "adapters")
print(model.layers[0].proj.lora_a.shape)
