import mlx.core as mx
from mlx_lm.models import llama
from mlx_lm.models.cache import RotatingKVCache, make_prompt_cache

mx.disable_compile()
mx.random.seed(0)
sizes = {"hidden_size": 16, "intermediate_size": 16, "vocab_size": 32, "num_hidden_layers": 2}
heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
model = llama.Model(llama.ModelArgs(model_type="llama", rms_norm_eps=1e-5, **sizes, **heads))

limit = 4
cache = [RotatingKVCache(max_size=limit) for _ in model.layers]
for token in range(8):
    model(mx.array([[token]]), cache=cache)
print(type(cache[0]).__name__, "holds", cache[0].size(), "tokens, limit", limit)
