"""Prints the Metal source that MLX generates for calls of the kernel, one call a line of input.

MLX writes it to the standard output of the process, so this is run as a program.
"""

import json
import sys
import tempfile
from pathlib import Path

import mlx.core as mx

from ropeguard.kernels import launch


PHASES = """
uint i = thread_position_in_grid.x;
out[i] = ropeguard::phase(positions[i / HALF], steps[i % HALF]);
"""


def rotation(*, dtype, tokens, qo_heads, kv_heads, head_dim, inverse):
    """Return a traceable call of the kernel and its arguments."""
    dtype = getattr(mx, dtype)
    q = mx.zeros((tokens, qo_heads, head_dim), dtype)
    k = mx.zeros((tokens, kv_heads, head_dim), dtype)
    options = {"rope_base": 1e4, "backend": "metal", "inverse": inverse}

    def call(q, k, positions):
        return launch.launch(q, k, positions, **options, stream=mx.gpu, verbose=True)

    return call, (q, k, mx.zeros((tokens,), mx.int32))


def phases(*, tokens, head_dim):
    """Return a traceable kernel that writes the phases alone."""
    kernel = mx.fast.metal_kernel(
        name="phases",
        input_names=["positions", "steps"],
        output_names=["out"],
        header=launch.source("metal")[0],
        source=PHASES,
    )

    def call(positions, steps):
        return kernel(
            inputs=[positions, steps],
            template=[("HALF", head_dim // 2)],
            grid=(tokens * head_dim // 2, 1, 1),
            threadgroup=(256, 1, 1),
            output_shapes=[(tokens, head_dim // 2)],
            output_dtypes=[mx.int32],
            stream=mx.gpu,
            verbose=True,
        )[0]

    return call, (mx.zeros((tokens,), mx.int32), mx.zeros((head_dim // 2,), mx.uint64))


def main():
    """Read calls and print their sources, with a line of marks behind each."""
    for line in sys.stdin:
        wanted = json.loads(line)
        call, arguments = (rotation if "dtype" in wanted else phases)(**wanted)
        with tempfile.TemporaryDirectory() as folder:
            mx.export_function(str(Path(folder, "call.mlxfn")), call, *arguments)
        print("\n=====", flush=True)


main()
