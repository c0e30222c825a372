import mlx.core as mx


ROWS, DIMS = 1 << 20, 64
BLOCK = 1024

vectors = mx.random.normal((ROWS, DIMS))
found = []
for start in range(0, ROWS, BLOCK):
    scores = vectors[start : start + BLOCK] @ vectors.T
    found.append(mx.argmax(scores, axis=-1))
    mx.eval(found[-1])
nearest = mx.concatenate(found)
print(nearest.shape)
