import warnings

import mlx.core as mx

from ropeguard import KVPool, backend


warnings.simplefilter("error")
mx.set_default_device(mx.cpu)
pool = KVPool(1, 64, kv_heads=2, head_dim=8, dtype=mx.float16)
q, k, v = (mx.random.normal((3, n, 8)).astype(mx.float16) for n in (4, 2, 2))
with backend("auto"):
    q, k = pool.append(
        0, q, k, v, mx.arange(3, dtype=mx.int32), pool.allocate(3), rope_base=10_000.0
    )
print(q.shape)
