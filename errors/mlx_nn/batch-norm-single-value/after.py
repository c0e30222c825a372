import mlx.core as mx
import mlx.nn as nn


model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm(8), nn.ReLU(), nn.Linear(8, 3))
model(mx.random.normal((16, 4)))

model.eval()
example = mx.ones((1, 4))
logits = model(example)
print(logits.shape)
