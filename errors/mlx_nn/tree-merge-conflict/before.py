import mlx.core as mx
from mlx.utils import tree_merge


def newer(old: mx.array, new: mx.array) -> mx.array:
    return new


base = {"layers": [{"weight": mx.zeros((2, 2))}]}
adapter = {"layers": [{"weight": mx.ones((2, 2)), "lora_a": mx.ones((2, 1))}]}
merged = tree_merge(base, adapter)
print(merged["layers"][0].keys())
