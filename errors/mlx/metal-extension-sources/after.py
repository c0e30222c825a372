from mlx.extension import MetalExtension

files = ["src/bindings.cpp", "src/rope.cpp", "src/rope.h", "src/rope.metal"]


def describe(files):
    sources = [file for file in sorted(files) if file.endswith((".cpp", ".metal"))]
    return MetalExtension("fastrope._ext", sources)


extension = describe(files)
print(extension.metal_library_name)
