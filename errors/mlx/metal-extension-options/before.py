from mlx.extension import MetalExtension

KERNEL_FLAGS = ["-ffast-math"]


def describe(name, sources):
    flags = {"cxx": ["-O3"], "nvcc": KERNEL_FLAGS}
    return MetalExtension(name, sources, extra_compile_args=flags)


extension = describe("fastrope._ext", ["src/rope.cpp", "src/rope.metal"])
print(extension.name)
