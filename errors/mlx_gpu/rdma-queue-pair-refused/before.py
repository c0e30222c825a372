import json
import os

import mlx.core as mx


DEVICES = [[None, "rdma_en3"], ["rdma_en3", None]]

with open("devices.json", "w") as file:
    json.dump(DEVICES, file)
os.environ["MLX_IBV_DEVICES"] = "devices.json"
os.environ["MLX_JACCL_COORDINATOR"] = "10.0.0.1:5000"
os.environ.setdefault("MLX_RANK", "0")

group = mx.distributed.init(strict=True, backend="jaccl")
print(group.size())
