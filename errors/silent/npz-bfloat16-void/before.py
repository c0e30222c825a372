import mlx.core as mx
import numpy as np


embeddings = mx.array([1.5, 2.5], dtype=mx.bfloat16)
mx.savez("vectors.npz", embeddings=embeddings)

loaded = np.load("vectors.npz")["embeddings"]
print(loaded.shape, loaded.dtype)
print(loaded.tolist())
