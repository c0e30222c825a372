import mlx.core as mx


double = mx.fast.metal_kernel(
    name="double_all",
    input_names=["inp"],
    output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = 2 * inp[i];",
)

x = mx.arange(2048, dtype=mx.float32)
threads = x.size
(out,) = double(
    inputs=[x],
    grid=(x.size, 1, 1),
    threadgroup=(threads, 1, 1),
    output_shapes=[x.shape],
    output_dtypes=[x.dtype],
)
mx.eval(out)
print(out.shape)
