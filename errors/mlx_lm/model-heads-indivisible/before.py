import mlx.core as mx
from mlx_lm.models.phi import ModelArgs, PhiAttention

args = ModelArgs(
    hidden_size=24,
    num_attention_heads=5,
    num_key_value_heads=1,
    partial_rotary_factor=0.5,
)
attention = PhiAttention(args)
print(attention(mx.random.normal((1, 3, 24))).shape)
