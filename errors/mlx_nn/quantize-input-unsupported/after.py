import mlx.nn as nn


def is_linear(path: str, module: nn.Module) -> bool:
    return isinstance(module, nn.Linear)


model = nn.Sequential(nn.Embedding(64, 64), nn.Linear(64, 64, bias=False))
nn.quantize(model, mode="nvfp4", quantize_input=True, class_predicate=is_linear)
print(model.layers[1])
