import mlx.core as mx
import mlx.nn as nn

from ropeguard import KVPool


projection = nn.QuantizedLinear(64, 64)
norm = nn.RMSNorm(64)
pool = KVPool(2, 64, kv_heads=2, head_dim=8, dtype=norm.weight.dtype)
print(pool.arrays(0)[0].dtype)
