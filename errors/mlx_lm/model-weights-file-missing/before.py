import json
from dataclasses import dataclass
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
from mlx_lm.models.base import BaseModelArgs
from mlx_lm.utils import load_model

WEIGHTS = "weights.safetensors"


@dataclass
class ProbeArgs(BaseModelArgs):
    dims: int


class Probe(nn.Module):
    def __init__(self, args: ProbeArgs) -> None:
        super().__init__()
        self.out = nn.Linear(args.dims, 3, bias=False)

    def __call__(self, hidden: mx.array) -> mx.array:
        return self.out(hidden)


folder = Path("probe")
folder.mkdir(exist_ok=True)
(folder / "config.json").write_text(json.dumps({"dims": 8}))
mx.save_safetensors(str(folder / WEIGHTS), {"out.weight": mx.ones((3, 8))})

model, config = load_model(folder, get_model_classes=lambda config: (Probe, ProbeArgs))
print(model(mx.ones((1, 8))).shape)
