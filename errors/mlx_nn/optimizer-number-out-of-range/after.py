import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim


BETAS = [0.9, 0.98]

model = nn.Linear(4, 1)
optimizer = optim.AdamW(learning_rate=1e-3, betas=BETAS, weight_decay=0.01)
gradients = {"weight": mx.ones((1, 4)), "bias": mx.ones((1,))}
optimizer.update(model, gradients)
print(optimizer.step.item())
