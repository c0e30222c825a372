"""RoPE and the write into the KV pool, fused in one guarded call."""

from ropeguard.catalogue import error


try:
    import mlx.core as _mlx_core  # noqa: F401
except ImportError as missing:
    raise error("mlx-backend-missing", reason=str(missing).partition("\n")[0]) from None

from ropeguard.kernels.choosing import backend as backend, set_backend as set_backend
from ropeguard.kernels.kv_pool import KVPool as KVPool
from ropeguard.kernels.rope_pool import rope_pool_fused as rope_pool_fused
from ropeguard.kernels.slots import Slots as Slots, slot_fault as slot_fault
