import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


Pool = Float[mx.array, "1 kv_heads capacity dim"]


@guard
def allocate(kv_heads: int, head_dim: int, capacity: int = 16) -> tuple[Pool, Pool]:
    shape = (1, kv_heads, capacity, head_dim)
    return mx.zeros(shape), mx.zeros(shape)


config = {"hidden_size": 64, "num_attention_heads": 8, "num_key_value_heads": 2}
head_dim = config["hidden_size"] / config["num_attention_heads"]
keys, values = allocate(config["num_key_value_heads"], head_dim)
print(keys.shape)
