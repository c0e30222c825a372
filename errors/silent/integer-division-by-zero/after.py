import mlx.core as mx


mx.set_default_device(mx.cpu)
tokens_of_expert = mx.array([12, 0, 7])
requests_of_expert = mx.array([2, 0, 1])

busy = requests_of_expert > 0
average = mx.where(busy, tokens_of_expert // mx.maximum(requests_of_expert, 1), -1)
print("tokens per request", average.tolist())
print("shard of request 5 of 0 workers", (mx.array([5]) % 0).tolist())
