import mlx.core as mx


def punished(counts, seen):
    return counts + seen * 1.0


seen = mx.array([2, 0, 3]) > 1
counts = punished(mx.array([2.0, 0.0, 3.0]), seen)
print(counts.tolist())
