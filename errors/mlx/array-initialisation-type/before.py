import mlx.core as mx
import mlx.nn as nn


VOCABULARY = {"<unk>": 0, "low": 1, "tide": 2, "at": 3, "noon": 4}


def tokenize(texts):
    ids = [[VOCABULARY.get(word, 0) for word in text.split()] for text in texts]
    return {"input_ids": ids, "attention_mask": [[1] * len(row) for row in ids]}


embedding = nn.Embedding(len(VOCABULARY), 8)
batch = tokenize(["low tide at noon", "noon at low tide"])
tokens = mx.array(batch)
print(embedding(tokens).shape)
