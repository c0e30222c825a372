from dataclasses import dataclass

import mlx.core as mx
import mlx.nn as nn
from ropeguard import guard


@guard
@dataclass(frozen=True)
class Config:
    hidden_size: int
    num_heads: int

    @property
    def head_dim(self) -> int:
        return self.hidden_size // self.num_heads


config = Config(hidden_size=32, num_heads=4)
norm = nn.RMSNorm(config.head_dim)
q = norm(mx.random.normal((5, config.num_heads, config.head_dim)))
