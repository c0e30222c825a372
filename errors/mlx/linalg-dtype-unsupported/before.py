import mlx.core as mx


def low_rank(weight: mx.array, rank: int) -> tuple[mx.array, mx.array]:
    """Return two factors whose product is the best approximation of that rank."""
    matrix = weight
    u, s, vt = mx.linalg.svd(matrix, stream=mx.cpu)
    down = u[:, :rank] * s[:rank]
    return down.astype(weight.dtype), vt[:rank].astype(weight.dtype)


weight = mx.random.normal((32, 24)).astype(mx.bfloat16)
down, up = low_rank(weight, rank=4)
print(down.shape, up.shape)
