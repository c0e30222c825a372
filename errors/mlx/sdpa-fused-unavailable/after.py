import mlx.core as mx

mx.set_default_device(mx.cpu)


def attend(q, k, v):
    scale = q.shape[-1] ** -0.5
    fused = mx.default_device() == mx.gpu
    return mx.fast.scaled_dot_product_attention(q, k, v, scale=scale, force_fused=fused)


q = mx.random.normal((1, 2, 3, 8))
k = mx.random.normal((1, 2, 5, 8))
v = mx.random.normal((1, 2, 5, 8))
out = attend(q, k, v)
mx.eval(out)
print(out.shape)
