import mlx.core as mx


WEIGHT = mx.ones((8, 4))


def head(hidden):
    return mx.matmul(hidden, WEIGHT)


mx.export_function("head.mlxfn", head, mx.zeros((1, 3, 8)), shapeless=True)
imported = mx.import_function("head.mlxfn")
(logits,) = imported(mx.ones((1, 7, 8)))
print(logits.shape)
