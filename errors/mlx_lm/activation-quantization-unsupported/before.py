import json
from dataclasses import dataclass
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten
from mlx_lm.models.base import BaseModelArgs
from mlx_lm.utils import load_model

QUANTIZATION = {"group_size": 64, "bits": 4, "mode": "affine"}


@dataclass
class Args(BaseModelArgs):
    dims: int


class Expert(nn.Module):
    def __init__(self, args: Args) -> None:
        super().__init__()
        self.out = nn.Linear(args.dims, args.dims, bias=False)


folder = Path("expert")
folder.mkdir(exist_ok=True)
expert = Expert(Args(dims=64))
nn.quantize(expert, **QUANTIZATION)
mx.save_safetensors("expert/model.safetensors", dict(tree_flatten(expert.parameters())))
(folder / "config.json").write_text(json.dumps({"dims": 64, "quantization": QUANTIZATION}))

model, _ = load_model(
    folder,
    model_config={"quantize_activations": True},
    get_model_classes=lambda config: (Expert, Args),
)
print(type(model.out).__name__)
