import mlx.core as mx


def normalised(embeddings):
    lengths = mx.linalg.norm(embeddings, axis=-1, keepdims=True)
    return embeddings / lengths, lengths


vectors, lengths = normalised(mx.array([[3.0, 4.0], [0.0, 2.0]]))
print(vectors.tolist())
