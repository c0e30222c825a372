import mlx.nn as nn
from mlx_lm.convert import mixed_quant_predicate_builder

RECIPE = "mixed_4_6"


class MLP(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down_proj = nn.Linear(128, 64)


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mlp = MLP()


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [Block()]


predicate = mixed_quant_predicate_builder(RECIPE, Model())
print(predicate("layers.0.mlp.down_proj", None))
