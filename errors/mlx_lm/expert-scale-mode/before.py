from mlx_lm.models.switch_layers import SwitchLinear

SETTINGS = {"group_size": 64, "bits": 4, "mode": "affine"}

experts = SwitchLinear(64, 32, num_experts=2)
quantized = experts.to_quantized(**SETTINGS, global_scale=True)
print(quantized.mode, quantized.global_scale.shape)
