import mlx.core as mx


SOURCE = "auto i = cooperative_groups::this_grid().thread_rank(); out[i] = 2 * inp[i];"

double = mx.fast.cuda_kernel(
    name="double_it",
    input_names=["inp"],
    output_names=["out"],
    source=SOURCE,
)
x = mx.array([1.0, 2.0, 3.0])
(doubled,) = double(
    inputs=[x],
    grid=(x.size, 1, 1),
    threadgroup=(x.size, 1, 1),
    output_shapes=[x.shape],
    output_dtypes=[x.dtype],
)
print(doubled)
