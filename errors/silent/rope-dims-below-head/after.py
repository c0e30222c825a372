import mlx.core as mx
import mlx.nn as nn

config = {"hidden_size": 64, "num_attention_heads": 4, "head_dim": 32}


def rotary(config: dict[str, int]) -> nn.RoPE:
    return nn.RoPE(config["head_dim"], base=100.0)


query = mx.ones((1, 4, 1, config["head_dim"]))
turned = rotary(config)(query, offset=5)
moved = int((mx.abs(turned - query)[0, 0, 0] > 1e-3).sum().item())
print("entries that carry the position:", moved, "of", config["head_dim"])
