from pathlib import Path

from mlx_lm.convert import convert

target = Path("models") / "tiny-4bit"
target.parent.mkdir(parents=True, exist_ok=True)

source = Path("original")
source.mkdir(exist_ok=True)
try:
    convert(str(source), mlx_path=str(target), quantize=True, q_bits=4)
except FileNotFoundError as error:
    print("the original is empty:", error.filename)
