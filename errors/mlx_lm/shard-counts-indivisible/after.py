import mlx.core as mx
import mlx.nn as nn
from mlx_lm.models.pipeline import PipelineMixin


class Stack(PipelineMixin, nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(depth)]


group = mx.distributed.init()
stack = Stack(depth=6)
split = [6 // group.size()] * group.size()
stack.pipeline(group, split=split)
print(stack.start_idx, stack.end_idx)
