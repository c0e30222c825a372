import mlx.core as mx


CONFIG = {"layers": 64, "heads": 64, "head_dim": 128, "max_position_embeddings": 1_048_576}


def reserve(config, slots, context):
    return mx.zeros((slots, config["layers"], config["heads"], context, config["head_dim"]))


keys = reserve(CONFIG, slots=128, context=CONFIG["max_position_embeddings"])
print("reserving", keys.nbytes, flush=True)
mx.eval(keys)
print("reserved")
