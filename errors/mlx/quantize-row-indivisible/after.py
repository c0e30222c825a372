import mlx.core as mx
import mlx.nn as nn


class VisionBlock(nn.Module):
    def __init__(self, hidden: int, intermediate: int) -> None:
        super().__init__()
        self.up = nn.Linear(hidden, intermediate)
        self.down = nn.Linear(intermediate, hidden)

    def __call__(self, patches: mx.array) -> mx.array:
        return self.down(nn.gelu(self.up(patches)))


def divides(path: str, module: nn.Module) -> bool:
    return hasattr(module, "to_quantized") and module.weight.shape[-1] % 64 == 0


tower = VisionBlock(hidden=64, intermediate=176)
nn.quantize(tower, group_size=64, bits=4, class_predicate=divides)
print(tower(mx.random.normal((2, 64))).shape)
