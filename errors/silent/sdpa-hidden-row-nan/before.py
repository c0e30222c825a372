import mlx.core as mx

lengths = mx.array([4, 2])
tokens = mx.arange(4)
real = tokens >= 4 - lengths[:, None]
allowed = (tokens[:, None] >= tokens) & real[:, None, None]
bias = mx.where(allowed, 0.0, -mx.inf)

mx.random.seed(0)
x = mx.random.normal((2, 1, 4, 8))
attended = mx.fast.scaled_dot_product_attention(x, x, x, scale=8**-0.5, mask=bias)

alone = mx.fast.scaled_dot_product_attention(x[:1], x[:1], x[:1], scale=8**-0.5, mask="causal")[0]
print("tokens that are NaN, row by row:", mx.isnan(attended).any(axis=-1)[:, 0].sum(-1).tolist())
