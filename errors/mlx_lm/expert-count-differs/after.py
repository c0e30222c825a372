from mlx_lm.models.phimoe import ModelArgs, PhiMoESparseMoeBlock

args = ModelArgs(
    hidden_size=8,
    intermediate_size=16,
    num_local_experts=2,
    num_experts_per_tok=2,
)
block = PhiMoESparseMoeBlock(args)
print(block.top_k, "of", block.num_experts)
