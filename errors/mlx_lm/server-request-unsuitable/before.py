from mlx_lm.server import APIHandler

DEFAULTS = {
    "stream": False,
    "max_tokens": 512,
    "temperature": 0.0,
    "top_p": 1.0,
    "top_k": 0,
    "min_p": 0.0,
    "num_draft_tokens": 3,
    "logprobs": False,
    "top_logprobs": -1,
    "xtc_probability": 0.0,
    "xtc_threshold": 0.0,
    "requested_model": "default_model",
    "adapter": None,
    "seed": None,
}
PENALTIES = {f"{kind}_penalty": 0.0 for kind in ("repetition", "presence", "frequency")}
WINDOWS = {f"{kind}_context_size": 20 for kind in ("repetition", "presence", "frequency")}


class Settings(APIHandler):
    def __init__(self, body: dict) -> None:
        self.__dict__.update(DEFAULTS | PENALTIES | WINDOWS | body)


settings = Settings({"logit_bias": {"hello": -100}})
settings.validate_model_parameters()
print(settings.logit_bias)
