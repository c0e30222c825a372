import mlx.core as mx


pick = mx.fast.metal_kernel(
    name="pick",
    input_names=["table", "index"],
    output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = table[index[i]];",
)

table = mx.random.normal((1000,))
index = mx.array([3, 7, -1, 12])
index = index.astype(mx.uint32)
(picked,) = pick(
    inputs=[table, index],
    grid=(index.size, 1, 1),
    threadgroup=(index.size, 1, 1),
    output_shapes=[index.shape],
    output_dtypes=[table.dtype],
)
print(picked.shape)
