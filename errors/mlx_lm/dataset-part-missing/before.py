import json
from pathlib import Path
from types import SimpleNamespace

from mlx_lm.tuner.datasets import load_dataset

folder = Path("data")
folder.mkdir(exist_ok=True)
lines = [json.dumps({"text": "MLX is an array framework."})]
(folder / "training.jsonl").write_text("\n".join(lines) + "\n")

settings = SimpleNamespace(data="data", train=True, test=False)
train, valid, test = load_dataset(settings, tokenizer=None)
print(len(train), "example")
