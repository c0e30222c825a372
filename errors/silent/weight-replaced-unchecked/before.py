import mlx.core as mx
import mlx.nn as nn

labels = ["negative", "neutral", "positive"]
head = nn.Linear(4, len(labels), bias=False)

trained = mx.concatenate([mx.zeros((3, 4)), mx.ones((2, 4))])
head.update({"weight": trained})

scores = head(mx.ones((1, 4)))
print("labels and scores:", len(labels), scores.shape[-1])
print("predicted label:", mx.argmax(scores, axis=-1).item())
