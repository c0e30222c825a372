import mlx.core as mx
import mlx.nn as nn


PAD = 0


def collate(prompts):
    width = max(len(prompt) for prompt in prompts)
    mask = mx.arange(width) < mx.array([[len(prompt)] for prompt in prompts])
    tokens = mx.array(prompts)
    return tokens, mask


embedding = nn.Embedding(16, 8)
tokens, mask = collate([[3, 1, 4, 1], [5, 9], [2, 6, 5]])
pooled = (embedding(tokens) * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
print(pooled.shape)
