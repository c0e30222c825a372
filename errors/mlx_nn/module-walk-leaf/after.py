import mlx.nn as nn


def is_linear(module: nn.Module, name: str, value: object) -> bool:
    return isinstance(value, nn.Linear)


def everything(module: nn.Module, name: str, value: object) -> bool:
    return True


mlp = nn.Sequential(nn.RMSNorm(8), nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))
widths = mlp.filter_and_map(
    nn.Module.valid_child_filter,
    map_fn=lambda layer: layer.weight.shape[0],
    is_leaf_fn=is_linear,
)
print(widths)
