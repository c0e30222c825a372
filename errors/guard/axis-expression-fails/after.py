import mlx.core as mx
from jaxtyping import Float
from ropeguard import guard


class LoraAdapter:
    def __init__(self) -> None:
        self.down: mx.array | None = None
        self.up: mx.array | None = None

    @property
    def width(self) -> int:
        return self.down.shape[0]

    def load(self, weights: dict[str, mx.array]) -> None:
        self.down, self.up = weights["lora_a"], weights["lora_b"]

    @guard
    def __call__(self, x: Float[mx.array, "tokens {self.width}"]) -> Float[mx.array, "tokens out"]:
        return (x @ self.down) @ self.up


weights = {"lora_a": mx.random.normal((16, 2)), "lora_b": mx.zeros((2, 16))}
adapter = LoraAdapter()
adapter.load(weights)
update = adapter(mx.random.normal((5, 16)))
