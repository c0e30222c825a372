from mlx.extension import MetalExtension

files = ["src/bindings.cpp", "src/rope.cpp", "src/rope.h", "src/rope.metal"]


def describe(files):
    sources = sorted(files)
    return MetalExtension("fastrope._ext", sources)


extension = describe(files)
print(extension.metal_library_name)
