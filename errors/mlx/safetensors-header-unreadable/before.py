import json
import struct

import mlx.core as mx


def save(path, values, dtype):
    data = struct.pack(f"<{len(values)}{'e' if dtype == 'F16' else 'f'}", *values)
    entry = {"dtype": "F32", "shape": [len(values)], "data_offsets": [0, len(data)]}
    header = json.dumps({"bias": entry}).encode()
    with open(path, "wb") as stream:
        stream.write(len(header).to_bytes(8, "little") + header + data)


save("half.safetensors", [1.0, 2.0, 3.0], "F16")
weights = mx.load("half.safetensors")
print(weights["bias"])
