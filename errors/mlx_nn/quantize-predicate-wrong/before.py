import mlx.nn as nn


def selected(path: str, module: nn.Module) -> bool:
    return path != "layers.2"


model = nn.Sequential(nn.Linear(64, 64), nn.RMSNorm(64), nn.Linear(64, 3))
nn.quantize(model, group_size=32, bits=8, class_predicate=selected)
print(model)
