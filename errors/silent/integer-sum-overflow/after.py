import mlx.core as mx


shards = {"model-1.safetensors": 2_000_000_000, "model-2.safetensors": 1_500_000_000}
sizes = mx.array(list(shards.values()), dtype=mx.int64)
total = sizes.sum()
print("bytes", total.item(), total.dtype)
print("mean ", sizes.mean().item())
