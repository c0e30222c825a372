import mlx.core as mx
import mlx.nn as nn
from mlx_lm.generate import generate_step

IMAGE = 17


class Bigram(nn.Module):
    def __init__(self, vocab: int) -> None:
        super().__init__()
        self.layers = []
        self.embed, self.head = nn.Embedding(vocab, 8), nn.Linear(8, vocab)

    def __call__(self, tokens, cache=None, input_embeddings=None):
        return self.head(self.embed(tokens) if input_embeddings is None else input_embeddings)


model = Bigram(20)
image, question = mx.random.normal((4, 8)), [3, 5]
prompt = mx.array([IMAGE] + question)
embeddings = mx.concatenate([image, model.embed(mx.array(question))])
steps = generate_step(prompt, model, input_embeddings=embeddings, max_tokens=3)
answer = [token for token, _ in steps]
print(len(answer), "tokens")
