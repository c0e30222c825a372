from concurrent.futures import ThreadPoolExecutor

import mlx.core as mx

LOGITS = mx.array([[0.1, 0.2, 0.9], [0.8, 0.1, 0.3], [0.2, 0.1, 0.4]])


def generate(count):
    with mx.stream(mx.cpu):
        for row in range(count):
            yield mx.argmax(LOGITS[row]).item()


with ThreadPoolExecutor(max_workers=1) as pool:
    tokens = generate(3)
    first = next(tokens)
    rest = pool.submit(list, tokens).result()
print(first, rest)
