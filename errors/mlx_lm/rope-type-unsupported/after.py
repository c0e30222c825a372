import mlx.core as mx
from mlx_lm.models.rope_utils import initialize_rope

scaling = {
    "type": "longrope",
    "original_max_position_embeddings": 4096,
    "short_factor": [1.0] * 32,
    "long_factor": [8.0] * 32,
}
rope = initialize_rope(
    64,
    base=10_000.0,
    traditional=False,
    scaling_config=scaling,
    max_position_embeddings=131_072,
)
print(rope(mx.random.normal((1, 2, 3, 64)), offset=5000).shape)
