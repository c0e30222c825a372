import mlx.core as mx


key = mx.random.key(0)
query_key, value_key = mx.random.split(key)
query = mx.random.normal((4, 4), key=query_key)
value = mx.random.normal((4, 4), key=value_key)
print("the same weights:", mx.array_equal(query, value).item())
