import mlx.core as mx


WEIGHT = mx.ones((8, 4))
REQUESTS = [1, 4, 4, 1]


def head(hidden):
    return mx.matmul(hidden, WEIGHT)


sizes = sorted(set(REQUESTS))
with mx.exporter("head.mlxfn", head) as exporter:
    for size in sizes:
        exporter(mx.zeros((size, 8)))
print(sizes)
