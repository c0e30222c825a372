import mlx.core as mx


WANTED = 1 << 42

limit = WANTED
mx.set_wired_limit(limit)
print(limit > 0)
