import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim


def is_matrix(name: str, gradient: mx.array) -> bool:
    return gradient.ndim == 2


def is_vector(name: str, gradient: mx.array) -> bool:
    return gradient.ndim == 1


model = nn.Linear(4, 2)
optimizers = [optim.Muon(learning_rate=0.02), optim.Adam(learning_rate=1e-3)]
optimizer = optim.MultiOptimizer(optimizers, [is_matrix])
optimizer.update(model, {"weight": mx.ones((2, 4)), "bias": mx.ones((2,))})
print(len(optimizer.state["states"]))
