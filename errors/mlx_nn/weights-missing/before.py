import mlx.core as mx
import mlx.nn as nn


class Probe(nn.Module):
    def __init__(self, dim: int, classes: int) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(dim)
        self.out = nn.Linear(dim, classes)

    def __call__(self, hidden: mx.array) -> mx.array:
        return self.out(self.norm(hidden))


trained = {"norm.weight": mx.ones((8,)), "out.weight": mx.random.normal((3, 8))}
mx.save_safetensors("probe.safetensors", trained)

probe = Probe(8, 3)
probe.load_weights("probe.safetensors")
print(probe(mx.random.normal((4, 8))).shape)
