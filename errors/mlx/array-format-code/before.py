import mlx.core as mx
import mlx.nn as nn


def log_line(step, predictions, targets):
    loss = nn.losses.l1_loss(predictions, targets, reduction="none")
    return f"step {step} loss {loss:.3f}"


line = log_line(3, mx.array([0.2, 1.5, 2.0, 0.0]), mx.array([1.0, 1.0, 0.0, 0.0]))
print(line)
