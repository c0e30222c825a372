import mlx.core as mx


def to_half(weights):
    return {
        name: it.astype(mx.float16) if mx.issubdtype(it, mx.floating) else it
        for name, it in weights.items()
    }


cast = to_half({"table": mx.ones((4, 2)), "ids": mx.array([1, 2])})
print({name: it.dtype for name, it in cast.items()})
