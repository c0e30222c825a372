import threading

import mlx.core as mx


draws = []


def worker(number):
    draws.append(mx.random.uniform(shape=(2,)).tolist())
    mx.clear_streams()


mx.random.seed(7)
for number in range(3):
    thread = threading.Thread(target=worker, args=(number,))
    thread.start()
    thread.join()
print("all the same:", draws[0] == draws[1] == draws[2])
