"""RoPE and the write into the KV pool, fused in one guarded call."""

from ropeguard.catalogue import error


try:
    import mlx.core as _mlx_core  # noqa: F401
except ImportError as missing:
    raise error("mlx-backend-missing", reason=str(missing).partition("\n")[0]) from None

from ropeguard.kernels.rope_pool import rope_pool_fused as rope_pool_fused
