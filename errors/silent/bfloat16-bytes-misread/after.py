import mlx.core as mx
import numpy as np


vectors = mx.array([[1.0, 2.0], [0.5, -3.0]], dtype=mx.bfloat16)
data = memoryview(vectors.astype(mx.float32))
stored = np.frombuffer(data, dtype=np.float32).reshape(vectors.shape)
print("in MLX  ", vectors.tolist())
print("in NumPy", stored.tolist())
