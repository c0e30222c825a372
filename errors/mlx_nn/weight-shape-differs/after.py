import mlx.core as mx
import mlx.nn as nn


def torch_checkpoint() -> dict[str, mx.array]:
    return {"weight": mx.random.normal((16, 80, 3)), "bias": mx.zeros((16,))}


stem = nn.Conv1d(80, 16, kernel_size=3)
weights = torch_checkpoint()
weights["weight"] = weights["weight"].swapaxes(1, 2)
stem.load_weights(list(weights.items()))
print(stem(mx.random.normal((1, 100, 80))).shape)
