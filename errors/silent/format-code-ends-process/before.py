import mlx.core as mx


def kept_tokens(mask):
    kept = mx.sum(mask)
    return f"{kept:d} kept"


print("counting", flush=True)
lines = [kept_tokens(mx.array([1.0, 0.0, 1.0]))]
print(*lines)
