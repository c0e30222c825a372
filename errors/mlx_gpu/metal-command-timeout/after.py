import mlx.core as mx


TOKENS, HEADS, DIMS = 262144, 32, 128
STEP = 2048

shape = (1, HEADS, TOKENS, DIMS)
queries, keys, values = (mx.random.normal(shape, dtype=mx.float16) for _ in range(3))
mx.eval(queries, keys, values)

parts = []
for start in range(0, TOKENS, STEP):
    part = queries[:, :, start : start + STEP]
    parts.append(mx.fast.scaled_dot_product_attention(part, keys, values, scale=DIMS**-0.5))
    mx.eval(parts[-1])
print(len(parts))
