import mlx.core as mx
from mlx_lm.models.cache import KVCache

cache = KVCache()
saved = mx.ones((1, 2, 3, 4), dtype=mx.float16)
prompt = saved.astype(mx.float32)
cache.update_and_fetch(prompt, prompt)

step = mx.full((1, 2, 1, 4), 70000.0)
keys, values = cache.update_and_fetch(step, step)
print("dtype of the step and of the cache:", step.dtype, keys.dtype)
print("finite:", mx.all(mx.isfinite(keys)).item())
