import mlx.nn as nn


class Planned:
    """A group that does not exist yet, to see what each device would hold."""

    def __init__(self, devices: int) -> None:
        self.devices = devices

    def size(self) -> int:
        return self.devices

    def rank(self) -> int:
        return 0


HEADS, HEAD_DIM, DEVICES = 6, 16, 5

group = Planned(DEVICES)
projection = nn.AllToShardedLinear(64, HEADS * HEAD_DIM, bias=False, group=group)
print(projection.weight.shape)
