import mlx.core as mx


IMAGE = 9


def merge(ids, embeddings, features):
    embeddings[ids == IMAGE] = features
    return embeddings


prompt = mx.array([1, IMAGE, IMAGE, IMAGE, 2])
patches = mx.full((3, 2), 7.0)
merged = merge(prompt, mx.zeros((5, 2)), patches)
print(merged)
