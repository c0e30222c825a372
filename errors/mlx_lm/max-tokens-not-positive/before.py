import mlx.core as mx
import mlx.nn as nn
from mlx_lm.generate import BatchGenerator

CONTEXT = 16


class Bigram(nn.Module):
    def __init__(self, vocab: int) -> None:
        super().__init__()
        self.layers = []
        self.embed, self.head = nn.Embedding(vocab, 8), nn.Linear(8, vocab)

    def __call__(self, tokens: mx.array, cache=None) -> mx.array:
        return self.head(self.embed(tokens))


def limit_for(prompt: list[int]) -> int:
    return CONTEXT - len(prompt)


prompt = list(range(20))
generator = BatchGenerator(Bigram(50))
print(generator.insert([prompt], max_tokens=[limit_for(prompt)]))
