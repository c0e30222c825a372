import json
from pathlib import Path

import mlx.core as mx
from mlx_lm.utils import load_model, sharded_load

ARCHITECTURE = """
from dataclasses import dataclass
import mlx.nn as nn
from mlx_lm.models.base import BaseModelArgs

@dataclass
class ModelArgs(BaseModelArgs):
    dims: int

class Model(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.out = nn.Linear(args.dims, args.dims, bias=False)
"""
folder = Path("probe")
folder.mkdir(exist_ok=True)
(folder / "arch.py").write_text(ARCHITECTURE)
(folder / "config.json").write_text(json.dumps({"model_file": "arch.py", "dims": 8}))
mx.save_safetensors("probe/model.safetensors", {"out.weight": mx.ones((8, 8))})

model, *_ = load_model(folder, trust_remote_code=True)
print(model.out.weight.shape)
