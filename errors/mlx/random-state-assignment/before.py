import mlx.core as mx
import mlx.nn as nn


def resume(model, checkpoint):
    model.update(checkpoint["model"])
    mx.random.state[0] = checkpoint["random"]
    return checkpoint["step"]


model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
mx.random.seed(17)
checkpoint = {
    "model": model.parameters(),
    "random": mx.random.state[0],
    "seed": 17,
    "step": 300,
}
step = resume(model, checkpoint)
print(step, model(mx.ones((1, 4))).shape)
