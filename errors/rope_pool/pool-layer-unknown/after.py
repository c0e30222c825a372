import mlx.nn as nn

from ropeguard import KVPool


layers = [nn.Linear(16, 16) for _ in range(4)]
pool = KVPool(len(layers), 64, kv_heads=2, head_dim=8)
for index, layer in enumerate(layers):
    keys, values = pool.arrays(index)
print(keys.shape)
