"""RoPE and the write into the KV pool, fused in one guarded call."""

from ropeguard.kernels.rope_pool import rope_pool_fused as rope_pool_fused
