import json

import mlx.core as mx
import mlx.nn as nn


CONFIG = json.loads('{"scale": 2, "interpolation": "bilinear"}')
NAMES = {"nearest": "nearest", "bilinear": "linear", "bicubic": "cubic"}


def make_upsample(config: dict) -> nn.Module:
    name = config["interpolation"]
    return nn.Upsample(config["scale"], mode=NAMES.get(name, name))


upscale = make_upsample(CONFIG)
print(upscale(mx.random.uniform(shape=(1, 4, 4, 3))).shape)
