from mlx_lm.tokenizer_utils import TokenizerWrapper
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast


def load_tokenizer() -> TokenizerWrapper:
    vocab = Tokenizer(models.WordLevel({"hi": 0, "?": 1}, unk_token="?"))
    return TokenizerWrapper(PreTrainedTokenizerFast(tokenizer_object=vocab))


tokenizer = load_tokenizer()
size = len(tokenizer._vocab)
print(size, "tokens")
