import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = mx.zeros((4,))
        self.project = nn.Linear(4, 4, bias=False)


stored = {"scale": mx.ones((1,)), "model.project.weight": mx.ones((4, 4))}
model = Block()
weights = list(stored.items())
model.load_weights(weights, strict=False)

print("shape of the scale:", model.scale.shape)
missing = [name for name, it in tree_flatten(model.parameters()) if not mx.all(it == 1).item()]
print("not loaded:", missing)
