import mlx.core as mx
from mlx_lm.models.cache import KVCache

saved = mx.random.normal((1, 4, 3, 8), key=mx.random.key(0))
rank = 2
cache = KVCache()
restored = saved[:, rank : rank + 1]
cache.update_and_fetch(restored, restored)

step = mx.full((1, 1, 1, 8), 7.0)
keys, values = cache.update_and_fetch(step, step)
print("heads of the step and of the cache:", step.shape[1], keys.shape[1])
print("new key of each head:", keys[0, :, -1, 0].tolist())
