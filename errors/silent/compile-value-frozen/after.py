from types import SimpleNamespace

import mlx.core as mx


settings = SimpleNamespace(keep=1.0)


@mx.compile
def decay(weight, keep):
    return weight * keep


shrunk = []
for settings.keep in (1.0, 0.5, 0.25, 0.125):
    shrunk.append(decay(mx.array(8.0), mx.array(settings.keep)).item())
print("with keep = 1, 1/2, 1/4, 1/8:", shrunk)
