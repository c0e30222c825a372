import mlx.core as mx
import mlx.nn as nn


def half_precision(model: nn.Module) -> nn.Module:
    model.set_dtype(mx.float16)
    return model


ranker = nn.Sequential(nn.Linear(64, 32), nn.GELU(), nn.Linear(32, 1))
nn.quantize(ranker, group_size=32, bits=8)
ranker = half_precision(ranker)
print(ranker(mx.random.normal((3, 64)).astype(mx.float16)).shape)
