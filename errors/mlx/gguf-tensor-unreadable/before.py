import struct

import mlx.core as mx


KINDS = {"Q4_K": (12, 144), "IQ2_XXS": (16, 66)}


def write(path, name, kind):
    number, size = KINDS[kind]
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, 0)
    header += struct.pack("<Q", len(name)) + name + struct.pack("<IQIQ", 1, 256, number, 0)
    with open(path, "wb") as stream:
        stream.write(header + bytes(-len(header) % 32) + bytes(size))


write("tiny.gguf", b"output.weight", kind="IQ2_XXS")
weights = mx.load("tiny.gguf")
print({name: it.shape for name, it in weights.items()})
