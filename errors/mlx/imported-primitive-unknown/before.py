from pathlib import Path

import mlx.core as mx


def export(path, release):
    mx.export_function(path, mx.tanh, mx.ones((2, 3)))
    if release == "newer":
        file = Path(path)
        file.write_bytes(file.read_bytes().replace(b"Tanh", b"Mish"))


export("graph.mlxfn", release="newer")
outputs = mx.import_function("graph.mlxfn")(mx.ones((2, 3)))
print(outputs[0].shape)
