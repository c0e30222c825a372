from mlx_lm.models.llama import ModelArgs

config = {
    "model_type": "llama",
    "vocab_size": 100,
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "layer_norm_epsilon": 1e-5,
}
args = ModelArgs.from_dict(config)
print(args.rms_norm_eps)
