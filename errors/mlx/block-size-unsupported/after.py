import mlx.core as mx


def sparse_product(a, b, mask, block):
    return mx.block_masked_mm(a, b, block_size=block, mask_out=mask)


causal = mx.array([[True, False], [True, True]])
product = sparse_product(mx.ones((128, 128)), mx.ones((128, 128)), causal.T, block=128 // 2)
print(product.shape)
