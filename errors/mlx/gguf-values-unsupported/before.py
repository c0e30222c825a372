import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(8, 4)
        self.set_dtype(mx.bfloat16)


def export(model, path):
    mx.save_gguf(path, dict(tree_flatten(model.parameters())))


model = Tiny()
export(model, "model.gguf")
print("saved")
