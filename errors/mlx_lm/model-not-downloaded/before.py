import os

os.environ["HF_HUB_OFFLINE"] = "1"

from pathlib import Path

from mlx_lm.utils import _download

models = Path("models")
(models / "tiny").mkdir(parents=True, exist_ok=True)
(models / "tiny" / "config.json").write_text("{}")

folder = _download("tiny")
files = [path.name for path in folder.iterdir()]
print(files)
