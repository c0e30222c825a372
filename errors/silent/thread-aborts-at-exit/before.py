import threading
import time

import mlx.core as mx


draws = []
stop = threading.Event()


def worker():
    while not stop.is_set():
        if len(draws) < 3:
            draws.append(mx.random.uniform().item())
        time.sleep(0.0001)


thread = threading.Thread(target=worker, daemon=True)
thread.start()
while len(draws) < 3:
    time.sleep(0.001)
print("drawn", len(draws), flush=True)
