import json
from pathlib import Path

import mlx.core as mx
from mlx_lm.utils import sharded_load
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

ARCHITECTURE = """
import mlx.nn as nn
from mlx_lm.models.base import BaseModelArgs as ModelArgs
from mlx_lm.models.pipeline import PipelineMixin

class Stack(PipelineMixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 4, bias=False) for _ in range(3)]

class Model(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.model = Stack()
"""
folder = Path("stack")
folder.mkdir(exist_ok=True)
(folder / "arch.py").write_text(ARCHITECTURE)
(folder / "config.json").write_text(json.dumps({"model_file": "arch.py"}))
vocab = Tokenizer(models.WordLevel({"a": 0, "b": 1}, unk_token="b"))
PreTrainedTokenizerFast(tokenizer_object=vocab).save_pretrained("stack")

names = [f"model.layers.{n}.weight" for n in range(3)]
mx.save_safetensors("stack/model.safetensors", {name: mx.ones((4, 4)) for name in names})
index = {"weight_map": {name: "model.safetensors" for name in names}}
(folder / "model.safetensors.index.json").write_text(json.dumps(index))

model, _ = sharded_load("stack", mx.distributed.init(), trust_remote_code=True)
print(len(model.model.layers), "layers")
