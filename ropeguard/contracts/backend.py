"""MLX, or the error that says what an installation without a backend lacks."""

from ropeguard.catalogue import error


__all__ = ["mx"]

try:
    import mlx.core as mx
except ImportError as missing:
    raise error("mlx-backend-missing", reason=str(missing).partition("\n")[0]) from None
