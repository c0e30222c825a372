import mlx.core as mx


def peak(scores, threshold):
    order = mx.argsort(-scores)
    kept = scores[order][: mx.sum(scores > threshold).item()]
    return kept.max().item()


images = [mx.array([0.25, 0.75]), mx.array([0.5, 0.25]), mx.array([0.125, 0.0])]
peaks = [peak(scores, threshold=0.25) for scores in images]
print(peaks)
