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
    positions = mx.zeros((tokens,), mx.int32)
    options = {"rope_base": 1e4, "backend": "metal", "stream": mx.gpu, "verbose": True}

    def call(q, k, positions):
        return launch.launch(q, k, positions, inverse=inverse, **options)

    return call, (q, k, positions)


def passing(**shapes):
    """Return a traceable call of the kernel that passes values on, and its arguments."""
    _, (q, k, positions) = rotation(**shapes, inverse=False)
    options = {"rope_base": 1e4, "backend": "metal", "stream": mx.gpu, "verbose": True}

    def call(q, k, v, positions):
        return launch.launch_and_pass(q, k, v, positions, **options)

    return call, (q, k, k, positions)


def placing(*, slots):
    """Return a traceable call of the kernel that places tokens, and its arguments."""

    def call(slots):
        return launch.launch_place(slots, 8, 7, backend="metal", stream=mx.gpu, verbose=True)

    return call, (mx.zeros((slots,), mx.int32),)


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


KERNELS = {"rotate": rotation, "rotate_and_pass": passing, "place": placing, "phases": phases}


def main():
    """Read calls and print their sources, with a line of marks behind each."""
    for line in sys.stdin:
        wanted = json.loads(line)
        call, arguments = KERNELS[wanted.pop("kernel")](**wanted)
        with tempfile.TemporaryDirectory() as folder:
            mx.export_function(str(Path(folder, "call.mlxfn")), call, *arguments)
        print("\n=====", flush=True)


main()
