import sys

import ropeguard


INSTALLED = "pip install mlx"


class Linux:
    """Stands for the dynamic loader of a Linux machine with what INSTALLED brought there."""

    def find_spec(self, name, path, target=None):
        if name == "mlx.core" and INSTALLED == "pip install mlx":
            missing = "libmlx.so: cannot open shared object file: No such file or directory"
            raise ImportError(missing)


sys.meta_path.insert(0, Linux())
print(ropeguard.rope_pool_fused.__name__)
