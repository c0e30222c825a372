import mlx.core as mx
from mlx_lm.models.deepseek_v3 import ModelArgs, MoEGate

args = ModelArgs(
    hidden_size=8,
    n_routed_experts=4,
    num_experts_per_tok=2,
    n_group=1,
    topk_group=1,
    topk_method="greedy",
)
mx.disable_compile()
gate = MoEGate(args)
print(gate(mx.random.normal((1, 8)))[0].shape)
