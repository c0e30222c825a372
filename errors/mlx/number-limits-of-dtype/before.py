import mlx.core as mx


def masked_softmax(scores, mask):
    hidden = mx.finfo(scores.dtype).min
    return mx.softmax(mx.where(mask, scores, hidden), axis=-1)


votes = mx.array([[2, 2, 7]])
probabilities = masked_softmax(votes, mx.array([[True, True, False]]))
print(probabilities)
