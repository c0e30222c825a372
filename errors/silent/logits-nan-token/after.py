import mlx.core as mx


def choose(logits):
    finite = mx.all(mx.isfinite(logits)).item()
    return mx.argmax(logits, axis=-1).item() if finite else None


hidden = mx.array([3.0, 60000.0, 1.0], dtype=mx.float16) * 2
logits = hidden - hidden.max()
token = choose(logits)
print("finite:", mx.isfinite(logits).tolist())
print("token", token)
