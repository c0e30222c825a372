import mlx.core as mx
import mlx.nn as nn
from mlx_lm.generate import speculative_generate_step
from mlx_lm.models.cache import RotatingKVCache

WINDOW = 4


class Tiny(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed, self.head = nn.Embedding(40, 8), nn.Linear(8, 40)
        self.layers = [nn.Identity()]

    def __call__(self, tokens: mx.array, cache: list) -> mx.array:
        x = self.embed(tokens)[:, None]
        keys, _ = cache[0].update_and_fetch(x, x)
        return self.head(x[:, 0] + keys.mean(axis=2))


model, draft = Tiny(), Tiny()
cache = [RotatingKVCache(WINDOW), RotatingKVCache(WINDOW)]
first_turn = mx.array([1, 2, 3, 4, 5, 6])
model(first_turn[None], cache[:1]), draft(first_turn[None], cache[1:])

question = mx.array([7, 8])
steps = speculative_generate_step(question, model, draft, prompt_cache=cache, max_tokens=3)
answer = [token for token, *_ in steps]
print(len(answer), "tokens")
