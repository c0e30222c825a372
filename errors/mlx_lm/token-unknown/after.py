from mlx_lm.tokenizer_utils import TokenizerWrapper
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

STOP = "<end>"


def load_tokenizer() -> TokenizerWrapper:
    vocab = Tokenizer(models.WordLevel({"hi": 0, "?": 1, "<end>": 2}, unk_token="?"))
    return TokenizerWrapper(PreTrainedTokenizerFast(tokenizer_object=vocab))


tokenizer = load_tokenizer()
tokenizer.add_eos_token(STOP)
print(tokenizer.eos_token_ids)
