import mlx.core as mx


VOCABULARY = ["the", "sea", "tide"]


def decode(ids):
    return [VOCABULARY[token.item()] for token in ids.squeeze(-1)]


words = decode(mx.array([[1]]))
print(words)
