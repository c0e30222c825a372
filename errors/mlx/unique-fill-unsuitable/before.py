import mlx.core as mx


def distinct(generated, size=4):
    ids = mx.array(generated, mx.int32)
    return mx.unique(ids, size)


def penalised(logits, generated, penalty=1.5):
    ids = distinct(generated)
    hit = (mx.arange(logits.size)[:, None] == ids).any(axis=1)
    return mx.where(hit, logits / penalty, logits)


seen = distinct([])
print(penalised(mx.ones((8,)), []).tolist())
