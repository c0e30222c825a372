import mlx.core as mx


SOURCE = "out[thread_position_in_grid.x] = 2 * x[thread_position_in_grid.x];"
KERNEL = mx.fast.metal_kernel(name="twice", input_names=["x"], output_names=["out"], source=SOURCE)


def launch(x):
    shape, size = x.shape, (x.size, 1, 1)
    options = {"output_shapes": [shape], "output_dtypes": [x.dtype]}
    return KERNEL(inputs=[x], grid=size, threadgroup=(1, 1, 1), **options)[0]


def twice(x):
    return launch(x) if mx.metal.is_available() else 2 * x


scaled = twice(mx.array([1.0, 2.0, 3.0]))
print(scaled)
