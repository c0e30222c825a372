import mlx.core as mx


SOURCE = """
    uint at = thread_position_in_grid.x;
    out[at] = metal::exp(-x[at] * x[at]);
"""
OPTIONS = {"math_mode": "fast"}

kernel = mx.fast.metal_kernel(
    name="bump",
    input_names=["x"],
    output_names=["out"],
    source=SOURCE,
    compile_options=OPTIONS,
)
print("built")
