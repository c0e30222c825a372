"""RoPE and the write into the KV pool, fused in one guarded call."""

from ropeguard.contracts.backend import mx as _mx  # noqa: F401
from ropeguard.kernels.choosing import backend as backend, set_backend as set_backend
from ropeguard.kernels.kv_pool import KVPool as KVPool
from ropeguard.kernels.rope_pool import rope_pool_fused as rope_pool_fused
from ropeguard.kernels.slots import Slots as Slots, slot_fault as slot_fault
