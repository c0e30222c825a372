import mlx.core as mx


def scale(logits, temperature):
    return logits / temperature


TEMPERATURE = mx.array(2.0)

mx.export_function("scale.mlxfn", scale, mx.ones((2,)), TEMPERATURE)
imported = mx.import_function("scale.mlxfn")
(scaled,) = imported(mx.array([1.0, 2.0]), TEMPERATURE)
print(scaled)
