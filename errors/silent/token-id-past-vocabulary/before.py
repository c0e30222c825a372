import mlx.core as mx
import mlx.nn as nn


vocabulary = {"<s>": 0, "hello": 1, "world": 2, "</s>": 3}
size = len(vocabulary)
vocabulary["<tool>"] = len(vocabulary)

table = nn.Embedding(size, 8)
tokens = mx.array([vocabulary[word] for word in "<s> <tool> hello </s>".split()])
hidden = table(tokens)
mx.eval(hidden)
print("ids up to", tokens.max().item(), "embedded from", table.weight.shape[0], "rows:")
print(hidden.shape)
