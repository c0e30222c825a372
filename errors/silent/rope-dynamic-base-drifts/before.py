import mlx.core as mx
import mlx.nn as nn
from mlx_lm.models.rope_utils import initialize_rope

dims, trained, longest, factor = 64, 16, 32, 2.0
rope = initialize_rope(dims, 10000.0, False, {"type": "dynamic", "factor": factor}, trained)

keys = mx.ones((1, 1, longest, dims))
prefilled = rope(keys)
steps = [rope(keys[:, :, at : at + 1], offset=at) for at in range(longest)]
drift = mx.abs(prefilled - mx.concatenate(steps, axis=2)).max().item()
print("prefill and single steps agree:", drift < 1e-3)
