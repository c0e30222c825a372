import mlx.core as mx


WANTED = 1 << 42

limit = min(WANTED, mx.device_info().get("max_recommended_working_set_size", 0))
mx.set_wired_limit(limit)
print(limit > 0)
