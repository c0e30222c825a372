import mlx.core as mx
import mlx.nn as nn
from mlx_lm.models.rope_utils import initialize_rope

rope_scaling = {"factor": 4.0, "original_max_position_embeddings": 2048}
plain = nn.RoPE(64)
rope = initialize_rope(64, 10000.0, False, rope_scaling, 8192)

query = mx.ones((1, 1, 1, 64))
turned = rope(query, offset=8)
for place in (2, 8):
    same = mx.allclose(turned, plain(query, offset=place), atol=1e-5).item()
    print(f"place 8 is rotated as place {place}: {same}")
