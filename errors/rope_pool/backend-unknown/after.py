import mlx.core as mx

from ropeguard import set_backend


settings = {"rows": 64, "backend": "auto"}
set_backend(settings["backend"])
print(mx.default_device(), settings)
