import os

settings = {"MLXLM_USE_MODELSCOPE": "false"}
os.environ.update(settings)

from mlx_lm.utils import load_model

print("models are read by", load_model.__name__)
