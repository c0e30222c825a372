import mlx.core as mx
from mlx_lm.models.rope_utils import initialize_rope

scaling = {"type": "mrope", "mrope_section": [2, 3, 3]}
rope = initialize_rope(16, 10000.0, False, scaling, 4096)
patches = mx.ones((1, 2, 4, 16))
frame, row, column = mx.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]])
section = mx.array([0, 0, 1, 1, 1, 2, 2, 2] * 2)

rotated = rope(patches)

timed = rotated[..., :2]
alike = mx.allclose(timed, mx.broadcast_to(timed[:, :, :1], timed.shape), atol=1e-5).item()
print("patches of one frame have one position in time:", alike)
