from types import SimpleNamespace

import mlx.core as mx


settings = SimpleNamespace(keep=1.0)


@mx.compile
def decay(weight):
    return weight * settings.keep


shrunk = []
for settings.keep in (1.0, 0.5, 0.25, 0.125):
    shrunk.append(decay(mx.array(8.0)).item())
print("with keep = 1, 1/2, 1/4, 1/8:", shrunk)
