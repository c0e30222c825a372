import mlx.optimizers as optim


WARMUP, TOTAL = 10, 100
BOUNDARIES = [WARMUP]

warmup = optim.linear_schedule(0.0, 1e-3, WARMUP)
cosine = optim.cosine_decay(1e-3, TOTAL - WARMUP)
schedule = optim.join_schedules([warmup, cosine], BOUNDARIES)
optimizer = optim.AdamW(learning_rate=schedule)
print(optimizer.learning_rate.item())
