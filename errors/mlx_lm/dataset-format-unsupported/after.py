import json
from pathlib import Path
from types import SimpleNamespace

from mlx_lm.tuner.datasets import load_dataset

folder = Path("data")
folder.mkdir(exist_ok=True)
example = {"question": "What is MLX?", "answer": "An array framework."}
(folder / "train.jsonl").write_text(json.dumps(example) + "\n")

settings = SimpleNamespace(
    data="data",
    train=True,
    test=False,
    prompt_feature="question",
    completion_feature="answer",
)
train, valid, test = load_dataset(settings, tokenizer=None)
print(len(train), "example")
