import json
from dataclasses import dataclass
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
from mlx_lm.models.base import BaseModelArgs
from mlx_lm.utils import load_model

CHECKPOINT = "teacher-bf16"


@dataclass
class Args(BaseModelArgs):
    dims: int


class Teacher(nn.Module):
    def __init__(self, args: Args) -> None:
        super().__init__()
        self.out = nn.Linear(args.dims, args.dims, bias=False)


def publish(name: str, dtype: mx.Dtype, **extra) -> None:
    Path(name).mkdir(exist_ok=True)
    config = {"checkpoint": name, "dims": 8, **extra}
    Path(name, "config.json").write_text(json.dumps(config))
    weights = {"out.weight": mx.zeros((8, 8), dtype)}
    mx.save_safetensors(f"{name}/model.safetensors", weights)


fp8 = {"quant_method": "compressed-tensors", "format": "float-quantized"}
publish("teacher-fp8", mx.uint8, quantization_config=fp8)
publish("teacher-bf16", mx.bfloat16)

model, config = load_model(Path(CHECKPOINT), get_model_classes=lambda config: (Teacher, Args))
print(config["checkpoint"], model.out.weight.dtype)
