import mlx.core as mx


def kept_positions(scores, threshold):
    mask = scores > threshold
    return mx.sort(mx.argsort(~mask)[: mask.sum().item()])


kept = kept_positions(mx.array([0.9, 0.1, 0.7, 0.6]), threshold=0.5)
print(kept)
