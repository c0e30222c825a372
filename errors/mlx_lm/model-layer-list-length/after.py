from mlx_lm.models.smollm3 import ModelArgs

config = {
    "model_type": "smollm3",
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "rms_norm_eps": 1e-6,
    "vocab_size": 100,
    "no_rope_layers": [1, 1, 1, 0],
}
config["num_hidden_layers"] = 2
config["no_rope_layers"] = config["no_rope_layers"][:2]
args = ModelArgs.from_dict(config)
print(args.num_hidden_layers, args.no_rope_layers)
