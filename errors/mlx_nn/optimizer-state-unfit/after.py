import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim


def make_optimizer() -> optim.MultiOptimizer:
    optimizers = [optim.Muon(learning_rate=0.02), optim.Adam(learning_rate=1e-3)]
    return optim.MultiOptimizer(optimizers, [lambda name, gradient: gradient.ndim == 2])


model = nn.Linear(4, 2)
first = make_optimizer()
first.update(model, {"weight": mx.ones((2, 4)), "bias": mx.ones((2,))})
saved = first.state

optimizer = make_optimizer()
optimizer.state = saved
print(optimizer.learning_rate.item())
