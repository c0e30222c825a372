import mlx.core as mx
import numpy as np


table = mx.array([[3.0, 4.0], [0.0, 2.0]])
shown = np.array(table)
shown /= np.linalg.norm(shown, axis=1, keepdims=True)
print("for the plot", [[round(it, 1) for it in row] for row in shown.tolist()])
print("in the model", [[round(it, 1) for it in row] for row in table.tolist()])
