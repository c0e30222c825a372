import mlx.core as mx


class Attention:
    def __init__(self, heads, causal):
        self.heads = heads
        self.mask = "causal" if causal else None

    def __call__(self, x):
        x = mx.unflatten(x, -1, (self.heads, -1)).swapaxes(1, 2)
        scale = x.shape[-1] ** -0.5
        return mx.fast.scaled_dot_product_attention(x, x, x, scale=scale, mask=self.mask)


decoder = Attention(heads=2, causal=True)
encoder = Attention(heads=2, causal=False)
features = mx.random.normal((1, 5, 16))
encoded = encoder(features)
print(encoded.shape, decoder(features).shape)
