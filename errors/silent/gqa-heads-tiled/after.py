import mlx.core as mx


def expand(heads: mx.array, group: int) -> mx.array:
    return mx.repeat(heads, group, axis=1)


mx.random.seed(0)
queries = mx.random.normal((1, 4, 3, 8))
keys, values = mx.random.normal((2, 1, 2, 3, 8))

scores = queries @ expand(keys, 2).swapaxes(-1, -2) * 8**-0.5
attended = mx.softmax(scores, axis=-1) @ expand(values, 2)

grouped = mx.fast.scaled_dot_product_attention(queries, keys, values, scale=8**-0.5)
for head in range(4):
    same = mx.allclose(attended[:, head], grouped[:, head], atol=1e-5).item()
    print(f"query head {head} as in grouped attention: {same}")
