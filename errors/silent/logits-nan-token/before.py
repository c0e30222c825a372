import mlx.core as mx


def choose(logits):
    return mx.argmax(logits, axis=-1).item()


hidden = mx.array([3.0, 60000.0, 1.0], dtype=mx.float16) * 2
logits = hidden - hidden.max()
token = choose(logits)
print("finite:", mx.isfinite(logits).tolist())
print("token", token)
