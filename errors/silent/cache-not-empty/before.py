import mlx.core as mx
from mlx_lm.models import llama
from mlx_lm.models.cache import make_prompt_cache

mx.disable_compile()
mx.random.seed(0)
sizes = {"hidden_size": 16, "intermediate_size": 16, "vocab_size": 32, "num_hidden_layers": 2}
heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
model = llama.Model(llama.ModelArgs(model_type="llama", rms_norm_eps=1e-5, **sizes, **heads))
cache = make_prompt_cache(model)


def answer(prompt: mx.array) -> mx.array:
    return model(prompt, cache=cache)


answer(mx.array([[9, 9, 9]]))
second = answer(mx.array([[1, 2, 3]]))
fresh = model(mx.array([[1, 2, 3]]))
print("the second prompt as if it were alone:", mx.allclose(second, fresh, atol=1e-5).item())
