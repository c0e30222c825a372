import mlx.core as mx


def latent_attention(q, latent_k, latent_v, shared_k):
    plain, rotary = mx.split(q, [latent_k.shape[-1]], axis=-1)
    rotary = mx.fast.rope(rotary, 4, traditional=True, base=1e4, scale=1.0, offset=0)
    shared_k = mx.fast.rope(shared_k, 4, traditional=True, base=1e4, scale=1.0, offset=0)
    shared_k = mx.repeat(shared_k, q.shape[1], axis=1)
    q = mx.concatenate([plain, rotary], axis=-1)
    k = mx.concatenate([latent_k, shared_k], axis=-1)
    return mx.fast.scaled_dot_product_attention(q, k, latent_v, scale=q.shape[-1] ** -0.5)


q = mx.random.normal((1, 4, 5, 12))
latent = mx.random.normal((1, 4, 5, 8))
shared = mx.random.normal((1, 1, 5, 4))
out = latent_attention(q, latent, latent, shared)
print(out.shape)
