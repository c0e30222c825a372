from pathlib import Path

from mlx_lm.tokenizer_utils import load
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast


def fetch(source: Path, target: Path, size: int | None) -> None:
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(source.read_bytes()[:size])


vocab = Tokenizer(models.WordLevel({"hi": 0, "?": 1}, unk_token="?"))
PreTrainedTokenizerFast(tokenizer_object=vocab).save_pretrained("hub")

fetch(Path("hub/tokenizer_config.json"), Path("model/tokenizer_config.json"), size=None)
fetch(Path("hub/tokenizer.json"), Path("model/tokenizer.json"), size=None)
tokenizer = load(Path("model"))
print(tokenizer.vocab_size)
