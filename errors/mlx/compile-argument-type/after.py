import mlx.core as mx
import numpy as np


RANKS = np.array([4, 8, 16], dtype=np.float32)


@mx.compile
def adapted(base, hidden, lora_b, scale):
    return mx.addmm(base, hidden, lora_b, alpha=scale)


scale = float(16 / RANKS[0])
outputs = adapted(mx.zeros((2, 6)), mx.ones((2, 4)), mx.ones((4, 6)), scale)
print(outputs)
