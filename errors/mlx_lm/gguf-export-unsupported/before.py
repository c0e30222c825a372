import mlx.nn as nn
from mlx.utils import tree_flatten
from mlx_lm.gguf import convert_to_gguf
from mlx_lm.utils import dequantize_model
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.proj = nn.Linear(64, 64)


def prepared(model: Model, config: dict) -> tuple[Model, dict]:
    return model, config


vocab = Tokenizer(models.WordLevel({"a": 0, "b": 1}, unk_token="b"))
PreTrainedTokenizerFast(tokenizer_object=vocab).save_pretrained("fused")

fused = Model()
nn.quantize(fused, group_size=64, bits=4)
settings = {"model_type": "llama", "quantization": {"group_size": 64, "bits": 4}}
model, config = prepared(fused, settings)
weights = dict(tree_flatten(model.parameters()))
convert_to_gguf("fused", weights, config, "fused.gguf")
