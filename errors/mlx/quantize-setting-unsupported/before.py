import json

import mlx.core as mx
import mlx.nn as nn


CONFIG = """
{
  "vocabulary": 32,
  "hidden": 64,
  "quantization": {"group_size": 16, "bits": 4}
}
"""

config = json.loads(CONFIG)
head = nn.Linear(config["hidden"], config["vocabulary"], bias=False)
decoder = head.to_quantized(**config["quantization"])
print(decoder(mx.random.normal((1, config["hidden"]))).shape)
