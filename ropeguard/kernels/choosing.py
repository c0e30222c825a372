"""Which backend runs: by the device that work goes to, unless somebody says otherwise."""

import contextlib
import os
import warnings
from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache

import mlx.core as mx

from ropeguard.catalogue import error


VARIABLE = "ROPEGUARD_BACKEND"
AUTO, COMPOSED, METAL, CUDA = BACKENDS = ("auto", "composed", "metal", "cuda")


def _read(name: str, source: str) -> str:
    if name not in BACKENDS:
        raise error("backend-unknown", backend=name, source=source)
    return name


_process_backend = [_read(os.environ.get(VARIABLE) or AUTO, VARIABLE)]
_block_backend: ContextVar[str | None] = ContextVar("ropeguard_backend", default=None)
_told: set[tuple[str, str]] = set()


def set_backend(name: str) -> None:
    """Choose the kernel's backend for the whole process.

    Args:
        name: `"auto"`: the fused kernel where work goes to a GPU, plain MLX operations elsewhere;
            `"composed"`: plain operations everywhere; `"metal"` or `"cuda"`: that kernel, and
            plain operations, with a warning, where it cannot run.
    """
    _process_backend[0] = _read(name, "set_backend")


@contextlib.contextmanager
def backend(name: str) -> Iterator[None]:
    """Choose the kernel's backend for a block, in this thread or task.

    Args:
        name: As for `set_backend`.
    """
    token = _block_backend.set(_read(name, "backend"))
    try:
        yield
    finally:
        _block_backend.reset(token)


def current_backend() -> str:
    """Return the backend that a call would run on here: `composed`, `metal` or `cuda`."""
    wanted = _block_backend.get() or _process_backend[0]
    if wanted == COMPOSED:
        return COMPOSED
    gpu = on_gpu()
    if wanted == AUTO and not gpu:
        return COMPOSED
    usable = _kernel_of_gpu() if gpu else None
    if usable is not None and wanted in (AUTO, usable):
        return usable
    _tell(wanted)
    return COMPOSED


def on_gpu() -> bool:
    """Say whether work goes to a GPU here."""
    return mx.default_device().type == mx.gpu


@cache
def _kernel_of_gpu() -> str | None:
    """Return which kernel the GPU of this MLX runs; asking MLX costs microseconds."""
    if mx.metal.is_available():
        return METAL
    return CUDA if mx.cuda.is_available() else None


def _tell(wanted: str) -> None:
    """Warn, once for a backend and a device, that plain operations run instead."""
    device = str(mx.default_device())
    if (wanted, device) not in _told:
        _told.add((wanted, device))
        told = error("backend-unavailable", backend=wanted, device=device)
        warnings.warn(str(told), RuntimeWarning, stacklevel=4)
