import mlx.core as mx
from mlx_lm.models.rope_utils import initialize_rope

HEAD_DIM, ROTARY_DIMS = 64, 32

scaling = {"rope_type": "proportional", "partial_rotary_factor": ROTARY_DIMS}
rope = initialize_rope(HEAD_DIM, base=10_000.0, traditional=False, scaling_config=scaling)
print(rope(mx.random.normal((1, 2, 3, HEAD_DIM))).shape)
