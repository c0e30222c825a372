import mlx.core as mx
import mlx.nn as nn


class PromptIndex(nn.Module):
    def __init__(self, vocab: int, dims: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dims)
        self.rope = nn.RoPE(dims, traditional=True)

    def __call__(self, prompt):
        vectors = self.embedding(prompt)
        return self.rope(vectors).mean(axis=-2)


index = PromptIndex(vocab=32, dims=8)
prompt = mx.array([5, 9, 2, 11])
print(index(prompt[None]).shape)
