import mlx.core as mx
import mlx.nn as nn
from mlx_lm.generate import generate_step


class Bigram(nn.Module):
    def __init__(self, vocab: int) -> None:
        super().__init__()
        self.layers = []
        self.embed, self.head = nn.Embedding(vocab, 8), nn.Linear(8, vocab)

    def __call__(self, tokens, cache=None, inputs_embeds=None):
        return self.head(self.embed(tokens) if inputs_embeds is None else inputs_embeds)


soft_prompt = mx.random.normal((4, 8))
no_tokens = mx.array([], mx.int32)
steps = generate_step(no_tokens, Bigram(20), input_embeddings=soft_prompt, max_tokens=3)
answer = [token for token, _ in steps]
print(len(answer), "tokens")
