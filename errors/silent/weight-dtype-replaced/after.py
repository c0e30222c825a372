import mlx.core as mx
import mlx.nn as nn

stored = {"weight": mx.full((2, 4), 3, dtype=mx.int32), "bias": mx.zeros((2,))}
scale = 0.0625


def restored(weight: mx.array) -> mx.array:
    return weight.astype(mx.float32) * scale


head = nn.Linear(4, 2)
head.load_weights([("weight", restored(stored["weight"])), ("bias", stored["bias"])])
scores = head(mx.ones((1, 4)))
print("dtype of the weights:", head.weight.dtype)
print("scores:", scores.tolist(), "instead of [[0.75, 0.75]]")
