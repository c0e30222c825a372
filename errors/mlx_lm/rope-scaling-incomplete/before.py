from mlx_lm.models.nemotron import ModelArgs

config = {
    "model_type": "nemotron",
    "hidden_size": 64,
    "hidden_act": "relu2",
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "norm_eps": 1e-5,
    "vocab_size": 100,
    "rope_scaling": {"factor": 2.0},
}
args = ModelArgs.from_dict(config)
print(args.rope_scaling)
