from mlx_lm.tokenizer_utils import TokenizerWrapper
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

TEMPLATE = "{% for m in messages %}<{{ m.role }}> {{ m.content }} </{{ m.role }}>{% endfor %}"


def load_tokenizer() -> TokenizerWrapper:
    vocab = Tokenizer(models.WordLevel({"hi": 0, "?": 1}, unk_token="?"))
    return TokenizerWrapper(PreTrainedTokenizerFast(tokenizer_object=vocab))


tokenizer = load_tokenizer()
tokenizer.chat_template = TEMPLATE
messages = [{"role": "user", "content": "hi"}]
prompt = tokenizer.apply_chat_template(messages, tokenize=False)
print(prompt)
