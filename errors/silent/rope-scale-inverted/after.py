import mlx.core as mx
import mlx.nn as nn

rope_scaling = {"rope_type": "linear", "factor": 4.0}
trained = nn.RoPE(8)
stretched = nn.RoPE(8, scale=1 / rope_scaling["factor"])

query = mx.ones((1, 1, 1, 8))
turned = stretched(query, offset=8)
for place in (2, 32):
    same = mx.allclose(turned, trained(query, offset=place), atol=1e-5).item()
    print(f"place 8 of the stretched context is place {place} of the trained one: {same}")
