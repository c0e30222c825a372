import mlx.core as mx


def make_batch(vocabulary: int, shape: tuple[int, int]) -> dict[str, mx.array]:
    tokens = mx.random.uniform(0, vocabulary, shape, dtype=mx.int32)
    mask = mx.random.bernoulli(0.9, shape).astype(mx.float32)
    return {"tokens": tokens, "mask": mask}


batch = make_batch(vocabulary=100, shape=(4, 16))
print(batch["tokens"].dtype, batch["mask"].sum().item())
