import json
import sys
from pathlib import Path

import mlx.core as mx
from mlx.utils import tree_flatten
from mlx_lm.generate import main
from mlx_lm.models.cache import QuantizedKVCache, save_prompt_cache
from mlx_lm.models.llama import Model, ModelArgs
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

mx.disable_compile()
CONFIG = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 1,
    "rms_norm_eps": 1e-5,
    "vocab_size": 2,
}
vocab = Tokenizer(models.WordLevel({"hi": 0, "?": 1}, unk_token="?"))
PreTrainedTokenizerFast(tokenizer_object=vocab).save_pretrained("tiny")
Path("tiny/config.json").write_text(json.dumps(CONFIG))
weights = dict(tree_flatten(Model(ModelArgs.from_dict(CONFIG)).parameters()))
mx.save_safetensors("tiny/model.safetensors", weights)

cache = QuantizedKVCache(group_size=64, bits=8)
cache.update_and_fetch(mx.ones((1, 1, 5, 64)), mx.ones((1, 1, 5, 64)))
save_prompt_cache("ada.safetensors", [cache], {"model": "tiny", "tokenizer_config": "{}"})

options = ["--prompt-cache-file", "ada.safetensors", "--prompt", "hi", "--max-tokens", "2"]
options += ["--kv-bits", "4"]
sys.argv = ["mlx_lm.generate", *options]
main()
