import mlx.core as mx


padding = mx.array([True, False, True, False, True, True])
mx.eval(padding)
allowed = padding[:3]
masks = mx.array([[True, True, True], [True, True, True]])

kept = mx.vmap(lambda mask: mx.logical_and(mask, allowed))(masks)
print("first row ", kept[0].tolist())
print("second row", kept[1].tolist())
