import mlx.optimizers as optim


def warmup_for(steps: int, share: float = 0.05) -> int:
    return max(1, int(share * steps))


schedule = optim.linear_schedule(0.0, 1e-3, steps=warmup_for(steps=12))
optimizer = optim.Adam(learning_rate=schedule)
print(optimizer.learning_rate.item())
