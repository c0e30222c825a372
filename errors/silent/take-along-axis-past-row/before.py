import mlx.core as mx


scores = mx.array([[0.1, 0.2, 0.7], [0.9, 0.1, 0.0], [0.3, 0.4, 0.3]])
labels = mx.array([int(cell) for cell in "1,3,2".split(",")])

picked = mx.take_along_axis(scores, labels[:, None], axis=-1).squeeze(-1)
print("scores of the right class", [round(it, 2) for it in picked[:2].tolist()])
