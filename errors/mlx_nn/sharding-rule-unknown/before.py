import mlx.core as mx
import mlx.nn as nn
from mlx.nn.layers.distributed import shard_linear


RULES = {"up": "column", "down": "sharded-to-all"}

up = nn.Linear(8, 16)
sharded = shard_linear(up, RULES["up"])
print(sharded(mx.ones((1, 8))).shape)
