import json

import mlx.core as mx
import numpy as np


NAMES = {"float32": "F32", "float64": "F64"}


def save(path, name, values):
    data, dtype = values.tobytes(), NAMES[values.dtype.name]
    entry = {"dtype": dtype, "shape": values.shape, "data_offsets": [0, len(data)]}
    header = json.dumps({name: entry}).encode()
    with open(path, "wb") as stream:
        stream.write(len(header).to_bytes(8, "little") + header + data)


scale = np.array([1.0, 0.5], dtype=np.float32)
save("statistics.safetensors", "scale", scale)
weights = mx.load("statistics.safetensors")
print(weights["scale"])
