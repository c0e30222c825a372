import mlx.core as mx
import mlx.nn as nn


ACTIVATION = "tanh"

encoder = nn.RNN(8, 16, nonlinearity=ACTIVATION)
states = encoder(mx.random.normal((1, 5, 8)))
print(states.shape)
