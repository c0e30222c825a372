import mlx.core as mx


VOCABULARY = {0: "the", 1: "sea", 2: "tide"}


def next_word(logits):
    token = mx.argmax(logits)
    return VOCABULARY[token]


text = next_word(mx.array([0.1, 0.2, 0.7]))
print(text)
