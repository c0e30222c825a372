import mlx.core as mx
import mlx.nn as nn


dropout = nn.Dropout(0.5)


@mx.compile
def step(x):
    return dropout(x)


_, first, second = [step(mx.ones((64,))) for _ in range(3)]
print("dropped", (first == 0).sum().item() > 0)
print("the same units again", mx.array_equal(first, second).item())
