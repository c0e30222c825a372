import json
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
from mlx_lm.tuner.utils import load_adapters


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.proj = nn.Linear(8, 8)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [Block()]


def linear_layers(model: Model) -> list[str]:
    return [type(block.proj).__name__ for block in model.layers]


run = Path("runs") / "rank4"
run.mkdir(parents=True, exist_ok=True)
config = {"num_layers": 1, "lora_parameters": {"rank": 4, "scale": 10.0, "dropout": 0.0}}
(run / "adapter_config.json").write_text(json.dumps(config))
weights = {"layers.0.proj.lora_a": mx.ones((8, 4)), "layers.0.proj.lora_b": mx.ones((4, 8))}
mx.save_safetensors("runs/rank4/adapters.safetensors", weights)

model = load_adapters(Model(), str(run))
print(linear_layers(model))
