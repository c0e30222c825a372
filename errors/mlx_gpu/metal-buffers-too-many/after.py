import mlx.core as mx


STEPS = 600_000

history = []
average = mx.array(0.0)
for step in range(STEPS):
    loss = mx.array(1 / (step + 1))
    average = 0.99 * average + 0.01 * loss
    mx.eval(average)
    history.append(loss.item())
print(len(history), average.shape)
