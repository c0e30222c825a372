import mlx.core as mx


vocab = 5
generated = mx.array([3, 1, 3, 3])

counts = mx.zeros((vocab,), dtype=mx.int32)
counts[generated] += 1
print("tokens", generated.size, "counted", counts.sum().item())
print(counts.tolist())
