from ropeguard import KVPool


pool = KVPool(2, 64, kv_heads=2, head_dim=8)
prompts = [40, 30]
running, waiting = [], []
for tokens in prompts:
    if len(running) < 8:
        running.append(pool.allocate(tokens))
    else:
        waiting.append(tokens)
print(len(running), "running,", len(waiting), "waiting")
