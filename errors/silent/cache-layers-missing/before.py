import mlx.core as mx
from mlx_lm.models import llama
from mlx_lm.models.cache import KVCache, make_prompt_cache

mx.disable_compile()
mx.random.seed(0)
sizes = {"hidden_size": 16, "intermediate_size": 16, "vocab_size": 32, "num_hidden_layers": 2}
heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
model = llama.Model(llama.ModelArgs(model_type="llama", rms_norm_eps=1e-5, **sizes, **heads))
draft_layers = 1

cache = [KVCache() for _ in range(draft_layers)]
prompt = mx.array([[1, 2, 3]])
logits, plain = model(prompt, cache=cache), model(prompt)
print("layers and caches:", len(model.layers), len(cache))
print("logits as without a cache:", mx.allclose(logits, plain, atol=1e-5).item())
