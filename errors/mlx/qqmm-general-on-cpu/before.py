import mlx.core as mx
import mlx.nn as nn


model = nn.Sequential(nn.Linear(64, 4, bias=False))
nn.quantize(model, mode="nvfp4", quantize_input=True)
outputs = model(mx.random.normal((2, 3, 64)))
mx.eval(outputs)
print(outputs.shape)
