import mlx.core as mx
from mlx_lm.sample_utils import make_sampler


def sampler_of(request: dict):
    return make_sampler(
        temp=request.get("temperature", 0.7),
        min_p=request.get("min_p", 0.0),
    )


request = {"temperature": 0.8, "min_p": 5}
sampler = sampler_of(request)
logits = mx.random.normal((1, 50))
token = sampler(logits - mx.logsumexp(logits, axis=-1, keepdims=True))
print(token.shape)
