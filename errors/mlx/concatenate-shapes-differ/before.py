import mlx.core as mx
import mlx.nn as nn


class Captioner(nn.Module):
    def __init__(self, vocabulary, width, vision_width):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.projector = nn.Linear(vision_width, width)

    def __call__(self, tokens, patches):
        text = self.embed(tokens)
        return mx.concatenate([patches, text], axis=1)


model = Captioner(vocabulary=50, width=32, vision_width=24)
patches = mx.random.normal((1, 9, 24))
embeddings = model(mx.array([[1, 7, 4, 9, 2]]), patches)
print(embeddings.shape)
