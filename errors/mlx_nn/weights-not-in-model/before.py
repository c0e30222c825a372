import mlx.core as mx
import mlx.nn as nn


class Reranker(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(dim, dim)
        self.score = nn.Linear(dim, 1)

    def __call__(self, pair: mx.array) -> mx.array:
        return self.score(nn.gelu(self.hidden(pair)))


exported = Reranker(64)
nn.quantize(exported, group_size=32, bits=4)
exported.save_weights("reranker.safetensors")

reranker = Reranker(64)
reranker.load_weights("reranker.safetensors")
print(reranker(mx.random.normal((2, 64))).shape)
