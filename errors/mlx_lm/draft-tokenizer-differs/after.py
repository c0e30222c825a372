import json
import sys
from pathlib import Path

import mlx.core as mx
from mlx.utils import tree_flatten
from mlx_lm.generate import main
from mlx_lm.models.llama import Model, ModelArgs
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

mx.disable_compile()
WORDS = ["?", "hi", "there", "<end>"]
NAMES = ["large", "small"]
CONFIG = {
    "model_type": "llama",
    "hidden_size": 8,
    "intermediate_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 1,
    "rms_norm_eps": 1e-5,
    "vocab_size": 4,
}


def publish(name: str, words: list[str]) -> None:
    vocab = {word: id for id, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocab, unk_token="?"))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(name)
    Path(name, "config.json").write_text(json.dumps(CONFIG))
    weights = dict(tree_flatten(Model(ModelArgs.from_dict(CONFIG)).parameters()))
    mx.save_safetensors(f"{name}/model.safetensors", weights)


publish("large", WORDS)
publish("small", WORDS)
options = ["--model", "large", "--draft-model", "small", "--prompt", "hi", "--max-tokens", "2"]
sys.argv = ["mlx_lm.generate", *options]
main()
