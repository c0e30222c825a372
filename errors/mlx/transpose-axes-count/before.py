import mlx.core as mx
import mlx.nn as nn


class AudioStem(nn.Module):
    def __init__(self, mels, dims):
        super().__init__()
        self.conv = nn.Conv1d(mels, dims, kernel_size=3, padding=1)

    def __call__(self, mel):
        return nn.gelu(self.conv(mel.transpose(1, 2)))


stem = AudioStem(mels=8, dims=16)
mel = mx.random.normal((1, 8, 30))
features = stem(mel)
print(features.shape)
