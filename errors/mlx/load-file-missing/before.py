from pathlib import Path

import mlx.core as mx


def install(folder: Path) -> None:
    folder.mkdir()
    mx.save_safetensors(str(folder / "voices.safetensors"), {"alto": mx.ones((4, 8))})


models = Path("models")
install(models)
voices = mx.load("voices.safetensors")
print(voices["alto"].shape)
