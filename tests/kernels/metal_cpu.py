"""Runs the kernel's Metal source on the CPU: the text of MLX, a shim for Metal, and a driver."""

import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import mlx.core as mx
import numpy as np
from rope_oracle import bits

from ropeguard.kernels.angles import step_array
from ropeguard.kernels.launch import pack_of, threads


HERE = Path(__file__).parent
FLAGS = [
    *("-std=c++17", "-O1", "-w", "-ffp-contract=off"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
]
PARAMETER = re.compile(r"^\s*((?:const )?(?:device|constant) \w+\*) \w+ \[\[buffer", re.M)
NAME = re.compile(r"(?:\b|void )(custom_kernel_\w+(?:<[^<>;]*>(?=;)|(?=\()))")


def sources(calls):
    """Return the Metal source of every call, as MLX would hand it to Apple's compiler."""
    done = subprocess.run(
        [sys.executable, HERE / "metal_sources.py"],
        input="".join(json.dumps(call) + "\n" for call in calls),
        capture_output=True,
        text=True,
        check=True,
    )
    texts = done.stdout.split("\n=====\n")[:-1]
    return [re.search(r"```\n(.*?)\n```", text, re.S)[1] for text in texts]


class Shim:
    """A program with all kernels in it, which runs one call after another.

    Attributes:
        texts: The source of every different kernel, by its name.
    """

    def __init__(self, folder, calls):
        self._kernels = {}
        self.texts = {}
        for call, text in zip(calls, sources(calls), strict=True):
            name = NAME.findall(text)[-1]
            self.texts[name] = text
            self._kernels[json.dumps(call)] = list(self.texts).index(name)
        program = folder / "kernels.cpp"
        program.write_text(self._program(), encoding="utf-8")
        subprocess.run(["g++", *FLAGS, program, "-o", folder / "kernels"], check=True)
        self._process = subprocess.Popen(
            [folder / "kernels"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def close(self):
        """End the program; it must not have found a fault."""
        self._process.stdin.close()
        assert self._process.wait() == 0
        self._process.stdout.close()

    def run(self, call, buffers, grid, poison=0xA5):
        """Run a call: buffers are inputs, as bytes, or sizes of outputs; return the outputs."""
        kernel = self._kernels[json.dumps(call)]
        message = struct.pack("5q", kernel, grid, 256, poison, len(buffers))
        for buffer in buffers:
            data, skew = buffer if isinstance(buffer, tuple) else (buffer, 0)
            size = data if isinstance(data, int) else len(data)
            message += struct.pack("3q", isinstance(data, int), skew, size)
            message += b"" if isinstance(data, int) else data
        self._process.stdin.write(message)
        self._process.stdin.flush()
        sizes = [buffer for buffer in buffers if isinstance(buffer, int)]
        return [self._read(size) for size in sizes]

    def rotate(self, q, k, positions, rope_base=1e4, *, inverse=False, poison=0xA5, skew=0):
        """Rotate like the backend."""
        call = call_of(q, k, inverse=inverse)
        return self._rotate(call, (q, k), positions, rope_base, poison, skew)

    def rotate_and_pass(self, q, k, v, positions, rope_base=1e4, *, poison=0xA5, skew=0):
        """Rotate and pass values on, like the backend."""
        return self._rotate(passing_of(q, k), (q, k, v), positions, rope_base, poison, skew)

    def place(self, slots, pool_rows, spare, poison=0xA5):
        """Place tokens like the backend."""
        count = len(slots)
        limits = np.array([pool_rows, spare], dtype=np.int32).tobytes()
        shape = np.array([count], dtype=np.int32).tobytes()
        buffers = [np.array(slots, dtype=np.int32).tobytes(), shape, limits, 4 * count]
        (out,) = self.run(placing_of(count), buffers, count, poison)
        return np.frombuffer(out, np.int32)

    def _rotate(self, call, arrays, positions, rope_base, poison, skew):
        q, k = arrays[:2]
        shape = np.array(q.shape, dtype=np.int32).tobytes()
        pack = pack_of(q.shape[-1], q.dtype.size)
        steps = np.array(step_array(rope_base, q.shape[-1])).tobytes()
        inputs = [(bits(x).tobytes(), skew * x.dtype.size) for x in arrays]
        buffers = [
            *(inputs[0], shape, *inputs[1:]),
            *(np.array(positions).tobytes(), steps, *(x.nbytes for x in arrays)),
        ]
        grid = threads(q.shape, k.shape[1] * (len(arrays) - 1), pack)
        out = self.run(call, buffers, grid, poison)
        return [
            mx.array(np.frombuffer(data, bits(x).dtype).reshape(x.shape)).view(x.dtype)
            for data, x in zip(out, arrays, strict=True)
        ]

    def _read(self, size):
        data = self._process.stdout.read(size)
        assert len(data) == size, f"the program ended with {self._process.wait()}"
        return data

    def _program(self):
        cases = []
        for index, (name, text) in enumerate(self.texts.items()):
            types = PARAMETER.findall(text)
            values = ", ".join(f"({kind})b[{i}]" for i, kind in enumerate(types))
            cases.append(f"    case {index}: {name}({values}, at); break;")
        lines = ["static void run(long kernel, char** b, uint3 at) {", "  switch (kernel) {"]
        dispatch = "\n".join([*lines, *cases, "    default: abort();", "  }", "}"])
        shim = f'#include "{HERE / "metal_shim.h"}"'
        driver = f'#include "{HERE / "metal_driver.h"}"'
        return "\n".join([shim, *self.texts.values(), dispatch, driver])


def call_of(q, k, *, inverse=False):
    """Return the call that the source of a rotation is generated for."""
    return {"kernel": "rotate", **_shapes(q, k), "inverse": inverse}


def passing_of(q, k):
    """Return the call of a rotation that passes values on."""
    return {"kernel": "rotate_and_pass", **_shapes(q, k)}


def placing_of(slots):
    """Return the call that places so many tokens."""
    return {"kernel": "place", "slots": slots}


def _shapes(q, k):
    return {
        "dtype": str(q.dtype).removeprefix("mlx.core."),
        "tokens": q.shape[0],
        "qo_heads": q.shape[1],
        "kv_heads": k.shape[1],
        "head_dim": q.shape[2],
    }
