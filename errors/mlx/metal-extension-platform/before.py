import sys

from mlx.extension import BuildExtension, MetalExtension
from setuptools import Distribution

extension = MetalExtension("fastrope._ext", ["src/rope.cpp", "src/rope.metal"])
extensions = [extension]
commands = {"build_ext": BuildExtension}
package = Distribution({"name": "fastrope", "ext_modules": extensions, "cmdclass": commands})
package.run_command("build_ext")
print(sys.platform != "darwin")
