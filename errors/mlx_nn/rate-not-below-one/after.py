import json

import mlx.core as mx
import mlx.nn as nn


CONFIG = json.loads('{"hidden": 16, "drop_percent": 10}')


def make_mlp(config: dict) -> nn.Module:
    hidden, rate = config["hidden"], config["drop_percent"] / 100
    return nn.Sequential(nn.Linear(8, hidden), nn.Dropout(rate), nn.Linear(hidden, 2))


model = make_mlp(CONFIG)
print(model(mx.ones((3, 8))).shape)
